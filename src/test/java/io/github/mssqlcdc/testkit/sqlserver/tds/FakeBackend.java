package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.Backend;
import io.github.mssqlcdc.testkit.sqlserver.backend.BackendSession;
import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.Request;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink.StatementKind;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A backend that answers known texts as it was told and everything else with an empty success. User
 * "sa", password "pässwört", database "db".
 */
final class FakeBackend implements Backend {
  static final String USER = "sa";
  static final String PASSWORD = "pässwört{Ω}";

  final List<Login> logins = new CopyOnWriteArrayList<>();
  final List<Request> requests = new CopyOnWriteArrayList<>();
  final AtomicInteger closedSessions = new AtomicInteger();
  final CountDownLatch firstClosed = new CountDownLatch(1);
  private final Map<String, Script> scripts = new ConcurrentHashMap<>();
  private final AtomicInteger lastSpid = new AtomicInteger(50);

  /** An answer. The latch opens when the session is cancelled. */
  @FunctionalInterface
  interface Script {
    void run(Request request, ResponseSink sink, CountDownLatch cancelled) throws Exception;
  }

  FakeBackend() {
    on("SELECT 1", (request, sink, cancelled) -> oneValue(sink, DataType.of(SqlTypeName.INT), 1));
  }

  void on(String sql, Script script) {
    scripts.put(sql, script);
  }

  static void oneValue(ResponseSink sink, DataType type, Object value) {
    sink.columns(List.of(new Column("", type, true)));
    sink.row(new Object[] {value});
    sink.done(StatementKind.SELECT, 1);
  }

  @Override
  public BackendSession login(Login login) throws SqlServerError {
    logins.add(login);
    if (!login.user().equals(USER) || !login.password().equals(PASSWORD)) {
      throw new SqlServerError(18456, 14, 1, "Login failed for user '" + login.user() + "'.");
    }
    if (!login.database().isEmpty() && !login.database().equals("db")) {
      throw new SqlServerError(
          4060,
          11,
          1,
          "Cannot open database \""
              + login.database()
              + "\" requested by the login. The login failed.");
    }
    return new Session(lastSpid.incrementAndGet());
  }

  @Override
  public int majorVersion() {
    return 16;
  }

  static String text(Request request) {
    if (request instanceof Request.Batch batch) {
      return batch.sql();
    }
    if (request instanceof Request.Parameterized call) {
      return call.sql();
    }
    return ((Request.Procedure) request).name();
  }

  private final class Session implements BackendSession {
    private final int spid;
    private volatile CountDownLatch cancelled = new CountDownLatch(1);

    Session(int spid) {
      this.spid = spid;
    }

    @Override
    public String database() {
      return "db";
    }

    @Override
    public int spid() {
      return spid;
    }

    @Override
    public void execute(Request request, ResponseSink sink) {
      cancelled = new CountDownLatch(1);
      requests.add(request);
      Script script = scripts.get(text(request));
      if (script == null) {
        sink.done(StatementKind.OTHER, -1);
        return;
      }
      try {
        script.run(request, sink, cancelled);
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void cancel() {
      cancelled.countDown();
    }

    @Override
    public void close() {
      closedSessions.incrementAndGet();
      firstClosed.countDown();
    }
  }
}
