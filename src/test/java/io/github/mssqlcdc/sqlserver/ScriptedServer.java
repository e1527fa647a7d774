package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.testkit.sqlserver.backend.Backend;
import io.github.mssqlcdc.testkit.sqlserver.backend.BackendSession;
import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.Request;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink.StatementKind;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.tds.TdsServer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A TDS server that answers as told, so that the real driver meets what tests want it to meet. */
final class ScriptedServer implements Backend, AutoCloseable {
  final List<String> requests = new CopyOnWriteArrayList<>();
  final AtomicInteger logins = new AtomicInteger();
  final AtomicInteger cancels = new AtomicInteger();
  private final Map<String, Queue<Answer>> answers = new ConcurrentHashMap<>();
  private final TdsServer server = TdsServer.builder(this).start();

  /** Writes the results of one request. */
  @FunctionalInterface
  interface Answer {
    void write(ResponseSink sink);

    /** This one, then another in the same reply. */
    default Answer then(Answer next) {
      return sink -> {
        write(sink);
        next.write(sink);
      };
    }
  }

  /** Requests whose text holds the fragment are answered so, in turn; the last answer stays. */
  void on(String fragment, Answer... inTurn) {
    answers.put(fragment, new ArrayDeque<>(List.of(inTurn)));
  }

  static Answer row(List<DataType> types, @Nullable Object... values) {
    return rows(types, List.<@Nullable Object[]>of(values));
  }

  static Answer rows(List<DataType> types, List<@Nullable Object[]> rows) {
    return sink -> {
      List<Column> columns = new ArrayList<>();
      types.forEach(type -> columns.add(new Column("c" + columns.size(), type, true)));
      sink.columns(columns);
      int sent = 0;
      while (sent < rows.size() && sink.row(rows.get(sent))) {
        sent++;
      }
      sink.done(StatementKind.SELECT, sent);
    };
  }

  static Answer error(int number, int severity, String message) {
    return sink -> sink.error(new SqlServerError(number, severity, 1, message));
  }

  String url() {
    return "jdbc:sqlserver://localhost:" + server.port() + ";databaseName=shop;encrypt=false";
  }

  int port() {
    return server.port();
  }

  void disconnectAll() {
    server.disconnectAll();
  }

  @Override
  public BackendSession login(Login login) throws SqlServerError {
    logins.incrementAndGet();
    if (!login.password().equals("geheim")) {
      throw new SqlServerError(18456, 14, 1, "Login failed for user '" + login.user() + "'.");
    }
    return new Session();
  }

  @Override
  public int majorVersion() {
    return 16;
  }

  @Override
  public void close() {
    server.close();
  }

  private Answer answer(String sql) {
    for (Map.Entry<String, Queue<Answer>> entry : answers.entrySet()) {
      if (sql.contains(entry.getKey())) {
        Queue<Answer> inTurn = entry.getValue();
        return inTurn.size() > 1 ? inTurn.remove() : inTurn.element();
      }
    }
    return error(102, 15, "No answer for: " + sql);
  }

  private final class Session implements BackendSession {
    @Override
    public String database() {
      return "shop";
    }

    @Override
    public int spid() {
      return 51;
    }

    @Override
    public void execute(Request request, ResponseSink sink) {
      String sql =
          request instanceof Request.Batch batch
              ? batch.sql()
              : request instanceof Request.Parameterized call
                  ? call.sql()
                  : ((Request.Procedure) request).name();
      requests.add(sql);
      answer(sql).write(sink);
    }

    @Override
    public void cancel() {
      cancels.incrementAndGet();
    }

    @Override
    public void close() {}
  }
}
