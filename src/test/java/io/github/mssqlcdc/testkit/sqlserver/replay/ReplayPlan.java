package io.github.mssqlcdc.testkit.sqlserver.replay;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.Request;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Statement;
import io.github.mssqlcdc.testkit.sqlserver.tsql.TSql;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What of a request's answer comes from replayed tables, result by result. */
final class ReplayPlan {
  private final Scalars scalars;

  /** By result; null: the engine's own. */
  private final List<@Nullable ReplayRead> reads;

  private ReplayPlan(Scalars scalars, List<@Nullable ReplayRead> reads) {
    this.scalars = scalars;
    this.reads = reads;
  }

  /** Rows in place of the engine's. */
  interface Rows {
    long count();

    /**
     * @return how many were sent; less than all once the client has cancelled
     */
    long send(ResponseSink out);
  }

  /**
   * @throws SqlServerError T-SQL that can't be parsed, or asks of a replayed table what it can't do
   */
  static ReplayPlan of(String sql, List<Request.Parameter> parameters, List<Replayed> tables)
      throws SqlServerError {
    List<Statement> statements = TSql.parse(sql);
    Scalars scalars = new Scalars(parameters, statements);
    ReadParser parser = new ReadParser(tables, scalars);
    List<@Nullable ReplayRead> reads = new ArrayList<>();
    for (Statement statement : statements) {
      if (statement instanceof Statement.Select select) {
        reads.add(parser.parse(select.query()));
      } else if (statement instanceof Statement.Execute call) {
        reads.add(parser.sizeOf(call));
      }
    }
    return new ReplayPlan(scalars, reads);
  }

  boolean isEmpty() {
    return reads.stream().allMatch(Objects::isNull);
  }

  /** For the result of this number, from 0 on; null if it is the engine's. */
  @Nullable Rows rows(int result, List<Column> columns) {
    String first = columns.get(0).name();
    String last = columns.get(columns.size() - 1).name();
    if (first.equals("row_count")) {
      // of the library's plan: a variable, and what is counted is read by its next statement
      return row(Objects.requireNonNull(reads.get(result + 1)).count());
    }
    ReplayRead read = result < reads.size() ? reads.get(result) : null;
    if (read == null) {
      return null;
    }
    if (last.equals("commit_place")) {
      return new Tiles(read, scalars.number("@tiles"), scalars.number("@floor"));
    }
    if (last.equals("unused")) {
      return size(read);
    }
    Template template = read.table().template(read.kind(), columns);
    return new Rows() {
      @Override
      public long count() {
        return read.count();
      }

      @Override
      public long send(ResponseSink out) {
        return template.send(read.from(), read.to(), out);
      }
    };
  }

  private static Rows size(ReplayRead read) {
    String kilobytes = read.count() * (read.table().table().width() + 64L) / 1024 + " KB";
    String rows = String.format("%-20d", read.count());
    return row(read.table().table().name(), rows, kilobytes, kilobytes, "0 KB", "0 KB");
  }

  private static Rows row(Object... values) {
    return new Rows() {
      @Override
      public long count() {
        return 1;
      }

      @Override
      public long send(ResponseSink out) {
        return out.row(values) ? 1 : 0;
      }
    };
  }
}
