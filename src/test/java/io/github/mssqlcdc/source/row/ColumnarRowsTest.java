package io.github.mssqlcdc.source.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.RangeMeasure;
import io.github.mssqlcdc.sqlserver.ServerClock;
import io.github.mssqlcdc.testkit.source.FakeCursor;
import io.github.mssqlcdc.type.SqlType;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ColumnarRowsTest {
  private static final LocalDateTime NOON = LocalDateTime.of(2026, 11, 1, 12, 0);
  private static final ServerClock CLOCK = new ServerClock(ZoneId.of("-03:00"));
  private static final Map<String, SqlType> TEXT =
      Map.of("text", new SqlType("nvarchar", -1, 0, 0));
  private static final int MIB = 1 << 20;

  @Test
  void endsABatchAtFetchSize() throws SQLException {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      rows.add(new Object[] {"row " + i});
    }

    assertThat(batches(rows, 3)).containsExactly(3, 3, 1);
  }

  @Test
  void endsABatchAtEightMebibytes() throws SQLException {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      rows.add(new Object[] {"x".repeat(3 * MIB)});
    }

    assertThat(batches(rows, 100)).containsExactly(3, 3, 3, 1);
  }

  @Test
  void givesALargerRowABatchOfItsOwn() throws SQLException {
    List<Object[]> rows = new ArrayList<>();
    rows.add(new Object[] {"a"});
    rows.add(new Object[] {"b"});
    rows.add(new Object[] {"c".repeat(9 * MIB)});
    rows.add(new Object[] {"d"});
    rows.add(new Object[] {"e".repeat(9 * MIB)});
    rows.add(new Object[] {"f".repeat(9 * MIB)});

    assertThat(batches(rows, 100)).containsExactly(2, 1, 1, 1, 1);
  }

  @Test
  void carriesEveryTypeOfALargerRowIntoItsBatch() throws SQLException {
    Object[] values = {
      "x".repeat(9 * MIB),
      true,
      200,
      7,
      1L << 40,
      1.5f,
      2.5d,
      new BigDecimal("-12.34"),
      new BigDecimal("9999999999999999.99"),
      new BigDecimal("-999999999999999999999999999999999999.99"),
      LocalDate.of(2026, 2, 28),
      NOON.plusNanos(123_456_700),
      new byte[] {1, 2}
    };
    Object[] nulls = new Object[values.length];
    nulls[0] = values[0];
    Object[] small = values.clone();
    small[0] = "small";
    try (ColumnarRows rows = rows(layout(everyType()), 100)) {
      FakeCursor cursor = FakeCursor.of(List.of(small, values, small, nulls));
      rows.next(cursor);
      rows.next(cursor);
      ColumnarBatch batch = rows.batch();

      assertThat(batch.numRows()).isEqualTo(1);
      assertThat(batch.column(6).getUTF8String(0).numBytes()).isEqualTo(9 * MIB);
      assertThat(batch.column(7).getBoolean(0)).isTrue();
      assertThat(batch.column(8).getShort(0)).isEqualTo((short) 200);
      assertThat(batch.column(9).getInt(0)).isEqualTo(7);
      assertThat(batch.column(10).getLong(0)).isEqualTo(1L << 40);
      assertThat(batch.column(11).getFloat(0)).isEqualTo(1.5f);
      assertThat(batch.column(12).getDouble(0)).isEqualTo(2.5d);
      assertThat(batch.column(13).getDecimal(0, 9, 2).toJavaBigDecimal()).isEqualTo(values[7]);
      assertThat(batch.column(14).getDecimal(0, 18, 2).toJavaBigDecimal()).isEqualTo(values[8]);
      assertThat(batch.column(15).getDecimal(0, 38, 2).toJavaBigDecimal()).isEqualTo(values[9]);
      assertThat(batch.column(16).getInt(0))
          .isEqualTo((int) LocalDate.of(2026, 2, 28).toEpochDay());
      assertThat(batch.column(17).getLong(0)).isEqualTo(Micros.of(NOON) + 123_456);
      assertThat(batch.column(18).getBinary(0)).containsExactly(1, 2);

      rows.next(cursor);
      rows.next(cursor);
      for (int column = 7; column < 19; column++) {
        assertThat(batch.column(column).isNullAt(0)).as("column %s", column).isTrue();
      }
      assertThat(rows.next(cursor)).isFalse();
    }
  }

  @Test
  void leavesNoNullBehindInTheNextBatch() throws SQLException {
    try (ColumnarRows rows = rows(layout(Map.of("n", new SqlType("int", 0, 0, 0))), 1)) {
      FakeCursor cursor = FakeCursor.of(List.of(new Object[] {null}, new Object[] {5}));

      rows.next(cursor);
      assertThat(rows.batch().column(6).isNullAt(0)).isTrue();
      rows.next(cursor);
      assertThat(rows.batch().column(6).isNullAt(0)).isFalse();
      assertThat(rows.batch().column(6).getInt(0)).isEqualTo(5);
    }
  }

  @Test
  void stampsSnapshotRows() throws SQLException {
    try (ColumnarRows rows = rows(layout(TEXT), 10)) {
      rows.next(FakeCursor.of(List.of(new Object[] {"a"}, new Object[] {"b"})));
      ColumnarBatch batch = rows.batch();

      assertThat(batch.column(0).getUTF8String(1).toString()).isEqualTo("dbo_orders");
      assertThat(batch.column(1).getUTF8String(1).toString()).isEqualTo("0x00000000000000070000");
      assertThat(batch.column(2).isNullAt(1)).isTrue();
      assertThat(batch.column(3).getInt(1)).isZero();
      assertThat(batch.column(4).isNullAt(1)).isTrue();
      assertThat(batch.column(5).getLong(1)).isEqualTo(Micros.of(NOON));
      assertThat(batch.column(6).getUTF8String(1).toString()).isEqualTo("b");
    }
  }

  @Test
  void givesChangeRowsTheirPlaceAndTheCommitTimeInUtc() throws SQLException {
    ChangeHeader header = new ChangeHeader("dbo_orders", new CommitTimes(CLOCK, null, null));
    try (ColumnarRows rows = new ColumnarRows(layout(TEXT), header, 10)) {
      rows.next(
          FakeCursor.of(
              List.of(
                  change(1, 1, 2, NOON, "a"),
                  change(1, null, 3, NOON, "b"),
                  change(2, 1, 1, NOON.plusMinutes(1), "c"))));
      ColumnarBatch batch = rows.batch();

      assertThat(batch.column(0).getUTF8String(2).toString()).isEqualTo("dbo_orders");
      assertThat(batch.column(1).getUTF8String(1)).isEqualTo(batch.column(1).getUTF8String(0));
      assertThat(batch.column(1).getUTF8String(2).toString()).isEqualTo("0x00000000000000020000");
      assertThat(batch.column(2).getUTF8String(0).toString()).isEqualTo("0x000000000000ABCD000F");
      assertThat(batch.column(3).getInt(2)).isEqualTo(1);
      assertThat(batch.column(4).getInt(0)).isEqualTo(1);
      assertThat(batch.column(4).isNullAt(1)).isTrue();
      assertThat(batch.column(5).getLong(0)).isEqualTo(Micros.of(NOON.plusHours(3)));
      assertThat(header.measure(rows.bytes(), 0.5, 9L))
          .isEqualTo(
              new RangeMeasure(
                  3,
                  3,
                  1,
                  1,
                  0,
                  "0x00000000000000010000",
                  "0x00000000000000020000",
                  NOON.plusHours(3),
                  NOON.plusHours(3).plusMinutes(1),
                  0.5,
                  9L));
    }
  }

  @Test
  void writesNoCommitTimeOutsideOfTheBatchs() throws SQLException {
    LocalDateTime floor = NOON.plusHours(3).plusMinutes(2);
    LocalDateTime ceiling = NOON.plusHours(3).plusMinutes(6);
    ChangeHeader header = new ChangeHeader("dbo_orders", new CommitTimes(CLOCK, floor, ceiling));
    try (ColumnarRows rows = new ColumnarRows(layout(TEXT), header, 10)) {
      rows.next(
          FakeCursor.of(
              List.of(
                  change(1, 1, 2, NOON, "a"),
                  change(2, 1, 2, null, "b"),
                  change(3, 1, 2, NOON.plusMinutes(5), "c"),
                  change(4, 1, 2, NOON.plusMinutes(9), "d"))));

      assertThat(rows.batch().column(5).getLong(0)).isEqualTo(Micros.of(floor));
      assertThat(rows.batch().column(5).getLong(1)).isEqualTo(Micros.of(floor));
      assertThat(rows.batch().column(5).getLong(2))
          .isEqualTo(Micros.of(NOON.plusHours(3).plusMinutes(5)));
      assertThat(rows.batch().column(5).getLong(3)).isEqualTo(Micros.of(ceiling));
    }
  }

  private static Map<String, SqlType> everyType() {
    Map<String, SqlType> types = new LinkedHashMap<>();
    types.put("large", new SqlType("nvarchar", -1, 0, 0));
    types.put("bit", new SqlType("bit", 0, 0, 0));
    types.put("short", new SqlType("tinyint", 0, 0, 0));
    types.put("int", new SqlType("int", 0, 0, 0));
    types.put("long", new SqlType("bigint", 0, 0, 0));
    types.put("real", new SqlType("real", 0, 0, 0));
    types.put("float", new SqlType("float", 0, 0, 0));
    types.put("d9", new SqlType("decimal", 0, 9, 2));
    types.put("d18", new SqlType("decimal", 0, 18, 2));
    types.put("d38", new SqlType("decimal", 0, 38, 2));
    types.put("date", new SqlType("date", 0, 0, 0));
    types.put("time", new SqlType("datetime2", 0, 0, 7));
    types.put("binary", new SqlType("varbinary", 10, 0, 0));
    return types;
  }

  private static Object[] change(
      int commit,
      @Nullable Integer commandId,
      int operation,
      @Nullable LocalDateTime at,
      String text) {
    return new Object[] {
      new Lsn(commit, 0).bytes(), commandId, new Lsn(0xABCD, 15).bytes(), operation, at, text
    };
  }

  private static List<Integer> batches(List<Object[]> values, int fetchSize) throws SQLException {
    List<Integer> sizes = new ArrayList<>();
    List<String> read = new ArrayList<>();
    try (ColumnarRows rows = rows(layout(TEXT), fetchSize)) {
      FakeCursor cursor = FakeCursor.of(values);
      while (rows.next(cursor)) {
        sizes.add(rows.batch().numRows());
        for (int i = 0; i < rows.batch().numRows(); i++) {
          read.add(rows.batch().column(6).getUTF8String(i).toString());
        }
      }
    }
    assertThat(read).isEqualTo(values.stream().flatMap(Arrays::stream).toList());
    return sizes;
  }

  private static ColumnarRows rows(RowLayout layout, int fetchSize) {
    return new ColumnarRows(
        layout, new SnapshotHeader("dbo_orders", new Lsn(7, 0), NOON), fetchSize);
  }

  private static RowLayout layout(Map<String, SqlType> types) {
    return RowLayout.of(RowLayout.inferred(Set.of(RowLayout.Extra.COMMAND_ID), types), types);
  }
}
