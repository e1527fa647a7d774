package io.github.mssqlcdc.sqlserver;

import static io.github.mssqlcdc.sqlserver.ScriptedServer.row;
import static io.github.mssqlcdc.sqlserver.ScriptedServer.rows;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.ScriptedServer.Answer;
import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.type.SelectColumn;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A scripted server's answers to a read of changes, and ways to read them. */
final class ChangeAnswers {
  static final DataType LSN = DataType.of(SqlTypeName.BINARY, 10);
  static final DataType INT = DataType.of(SqlTypeName.INT);
  static final DataType BIGINT = DataType.of(SqlTypeName.BIGINT);
  static final DataType TIME = DataType.of(SqlTypeName.DATETIME);
  static final CaptureInstance ORDERS =
      new CaptureInstance(
          "dbo_orders", "dbo", "orders", 1, 2, lsn(1), LocalDateTime.MIN, List.of("id"));
  static final String CHANGES = "FROM [cdc].[dbo_orders_CT]";

  private ChangeAnswers() {}

  static List<Integer> some(RangeReader reader, int most) {
    return reader.read(cursor -> some(cursor, most));
  }

  static List<Integer> some(RowCursor cursor, int most) throws SQLException {
    List<Integer> ids = new ArrayList<>();
    while (ids.size() < most && cursor.next()) {
      ids.add(cursor.row().getInt(6));
    }
    if (ids.size() == most) {
      cursor.mark();
    }
    return ids;
  }

  static void readAll(RangeReader reader) {
    try (reader) {
      reader.read(
          cursor -> {
            while (cursor.next()) {
              assertThat(cursor.row().getInt(6)).isNotNegative();
            }
            return cursor.tail();
          });
    }
  }

  static Answer head() {
    return row(List.of(LSN, BIGINT), lsn(9).bytes(), 0L);
  }

  static Answer tail() {
    return row(List.of(LSN, LSN, BIGINT), lsn(1).bytes(), lsn(9).bytes(), null);
  }

  static Answer tailOfNone() {
    return changes().then(tail());
  }

  static Answer many() {
    return rowsOf(changesUpTo(50_000));
  }

  static List<@Nullable Object[]> changesUpTo(int count) {
    return IntStream.range(0, count).mapToObj(ChangeAnswers::change).toList();
  }

  static Answer changes(int... ids) {
    return rowsOf(IntStream.of(ids).mapToObj(ChangeAnswers::change).toList());
  }

  /** Rows, then an error in their midst. */
  static Answer broken(int number, int... ids) {
    return broken(number, IntStream.of(ids).mapToObj(ChangeAnswers::change).toList());
  }

  static Answer broken(int number, List<@Nullable Object[]> rows) {
    return sink -> {
      List<Column> columns = new ArrayList<>();
      for (DataType type : List.of(LSN, INT, LSN, INT, TIME, INT)) {
        columns.add(new Column("c" + columns.size(), type, true));
      }
      sink.columns(columns);
      rows.forEach(sink::row);
      sink.error(new SqlServerError(number, 13, 1, "failed"));
    };
  }

  static Answer rowsOf(List<@Nullable Object[]> rows) {
    return rows(List.of(LSN, INT, LSN, INT, TIME, INT), rows);
  }

  static Object[] change(int id) {
    LocalDateTime at = LocalDateTime.of(2026, 9, 30, 2, 0);
    return new Object[] {lsn(2).bytes(), 1, lsn(id).bytes(), 2, at, id};
  }

  static RangeReader read(SqlServer client) {
    return client.readChanges(
        ORDERS, ChangeRange.commits(lsn(1), lsn(5)), SelectColumn.plain(List.of("id")));
  }

  static Lsn lsn(int number) {
    return new Lsn(0, number);
  }
}
