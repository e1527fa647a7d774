package io.github.mssqlcdc.source.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.RangeMeasure;
import io.github.mssqlcdc.sqlserver.ServerClock;
import io.github.mssqlcdc.testkit.source.FakeCursor;
import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.CapturedColumn.Trait;
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
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ColumnarRowsTest {
  private static final LocalDateTime NOON = LocalDateTime.of(2026, 11, 1, 12, 0);
  private static final ServerClock CLOCK = new ServerClock(ZoneId.of("-03:00"));
  private static final Map<String, SqlType> TEXT =
      Map.of("text", new SqlType("nvarchar", 4000, 0, 0));
  private static final List<CapturedColumn> DOCUMENTS =
      List.of(
          column(1, "id", new SqlType("int", 0, 0, 0)),
          column(2, "Doc", new SqlType("nvarchar", SqlType.MAX, 0, 0)),
          column(3, "scan", new SqlType("image", 0, 0, 0)));
  private static final byte[] SCAN = {1, 2, 3};
  private static final int KIB = 1 << 10;

  @Test
  void endsABatchAtFetchSize() throws SQLException {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      rows.add(new Object[] {"row " + i});
    }

    assertThat(batches(rows, 3)).containsExactly(3, 3, 1);
  }

  @Test
  void endsABatchAtThirtyTwoKibibytes() throws SQLException {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      rows.add(new Object[] {"x".repeat(12 * KIB)});
    }

    assertThat(batches(rows, 100)).containsExactly(3, 3, 3, 1);
  }

  @Test
  void givesALargerRowABatchOfItsOwn() throws SQLException {
    List<Object[]> rows = new ArrayList<>();
    rows.add(new Object[] {"a"});
    rows.add(new Object[] {"b"});
    rows.add(new Object[] {"c".repeat(33 * KIB)});
    rows.add(new Object[] {"d"});
    rows.add(new Object[] {"e".repeat(33 * KIB)});
    rows.add(new Object[] {"f".repeat(33 * KIB)});

    assertThat(batches(rows, 100)).containsExactly(2, 1, 1, 1, 1);
  }

  @Test
  void carriesEveryTypeOfALargerRowIntoItsBatch() throws SQLException {
    Object[] values = {
      "x".repeat(33 * KIB),
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
      ColumnarBatch batch = rows.batch();
      batch.closeIfFreeable(); // as Spark does once it has read a batch
      rows.next(cursor);
      assertThat(batch.numRows()).isEqualTo(1);
      assertThat(batch.column(6).getUTF8String(0).numBytes()).isEqualTo(33 * KIB);
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
    ChangeHeader header =
        new ChangeHeader("dbo_orders", layout(TEXT), new CommitTimes(CLOCK, null, null));
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
    ChangeHeader header =
        new ChangeHeader("dbo_orders", layout(TEXT), new CommitTimes(CLOCK, floor, ceiling));
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

  @Test
  void namesWhatAnImageDoesNotCarry() throws SQLException {
    RowLayout layout =
        RowLayout.of(
            StructType.fromDDL(
                "doc STRING, _unknown_columns ARRAY<STRING>, ID INT, SCAN BINARY,"
                    + " _update_mask BINARY"),
            DOCUMENTS);
    String text = "t".repeat(33 * KIB);
    ChangeHeader header =
        new ChangeHeader("dbo_documents", layout, new CommitTimes(CLOCK, null, null));
    try (ColumnarRows rows = new ColumnarRows(layout, header, 3)) {
      FakeCursor cursor =
          FakeCursor.of(
              List.of(
                  document(2, 0b111, null, 1, null),
                  document(3, 0b001, null, 1, null),
                  document(4, 0b001, null, 1, SCAN),
                  document(4, 0b010, null, 1, null),
                  document(1, 0b111, null, 1, null),
                  document(4, 0b001, text, 1, null),
                  document(3, 0b001, null, 1, null),
                  document(4, 0b001, "t", 1, SCAN)));

      assertThat(unknown(rows, cursor)).containsExactly(null, "[doc, SCAN]", "[doc]");
      ColumnVector masks = rows.batch().column(4);
      assertThat(masks.getBinary(2)).containsExactly(0b001);
      assertThat(unknown(rows, cursor)).containsExactly("[SCAN]", "[SCAN]");
      assertThat(rows.batch().column(1).hasNull()).isFalse();
      assertThat(unknown(rows, cursor)).containsExactly("[SCAN]");
      assertThat(rows.batch().column(0).getUTF8String(0).numBytes()).isEqualTo(33 * KIB);
      assertThat(unknown(rows, cursor)).containsExactly("[doc, SCAN]", null);
      assertThat(rows.batch().column(1).numNulls()).isEqualTo(1);
      assertThat(rows.next(cursor)).isFalse();
    }
  }

  @Test
  void handsListsOnAsSparkCopiesThem() throws SQLException {
    RowLayout layout =
        RowLayout.of(StructType.fromDDL("_unknown_columns ARRAY<STRING>, doc STRING"), DOCUMENTS);
    ChangeHeader header =
        new ChangeHeader("dbo_documents", layout, new CommitTimes(CLOCK, null, null));
    List<Object[]> images = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      Object[] image = document(4, 0b001, i % 3 == 0 ? "t" : null, 1, null);
      images.add(Arrays.copyOf(image, 7));
    }
    try (ColumnarRows rows = new ColumnarRows(layout, header, 1000)) {
      rows.next(FakeCursor.of(images));

      for (int i = 0; i < 1000; i++) {
        InternalRow copy = rows.batch().getRow(i).copy();
        assertThat(copy.isNullAt(0)).isEqualTo(i % 3 == 0);
        if (i % 3 != 0) {
          assertThat(copy.getArray(0).numElements()).isEqualTo(1);
          assertThat(copy.getArray(0).getUTF8String(0).toString()).isEqualTo("doc");
        }
      }
    }
  }

  @Test
  void aColumnThatIsNotAskedForIsNullInEveryRow() throws Exception {
    List<CapturedColumn> captured =
        List.of(
            new CapturedColumn(
                "twice", 1, 1, new SqlType("decimal", 0, 38, 2), null, Set.of(Trait.COMPUTED)),
            new CapturedColumn("id", 2, 2, new SqlType("int", 0, 0, 0)),
            new CapturedColumn(
                "sum", 3, 3, new SqlType("nvarchar", 9, 0, 0), null, Set.of(Trait.COMPUTED)));
    RowLayout layout =
        RowLayout.of(StructType.fromDDL("twice DECIMAL(38,2), id INT, sum STRING"), captured);

    try (ColumnarRows rows = rows(layout, 1)) {
      FakeCursor cursor = FakeCursor.of(List.of(new Object[] {1}, new Object[] {2}));
      for (int id = 1; id <= 2; id++) {
        assertThat(rows.next(cursor)).isTrue();
        assertThat(rows.batch().column(0).isNullAt(0)).isTrue();
        assertThat(rows.batch().column(1).getInt(0)).isEqualTo(id);
        assertThat(rows.batch().column(2).isNullAt(0)).isTrue();
      }
    }
  }

  @Test
  void knowsEverythingInSnapshotRows() throws SQLException {
    RowLayout layout =
        RowLayout.of(RowLayout.inferred(Set.of(RowLayout.Extra.UPDATE_MASK), DOCUMENTS), DOCUMENTS);
    try (ColumnarRows rows = rows(layout, 10)) {
      rows.next(FakeCursor.of(List.of(new Object[] {1, null, null}, new Object[] {2, "t", SCAN})));

      assertThat(layout.schema().fieldNames())
          .containsSubsequence("_commit_ts", "_unknown_columns", "_update_mask", "id");
      assertThat(rows.batch().column(5).isNullAt(0)).isTrue();
      assertThat(rows.batch().column(6).isNullAt(1)).isTrue();
    }
  }

  private static List<@Nullable String> unknown(ColumnarRows rows, FakeCursor cursor)
      throws SQLException {
    rows.next(cursor);
    List<@Nullable String> unknown = new ArrayList<>();
    for (int i = 0; i < rows.batch().numRows(); i++) {
      ColumnVector lists = rows.batch().column(1);
      unknown.add(
          lists.isNullAt(i)
              ? null
              : Arrays.toString(lists.getArray(i).toObjectArray(DataTypes.StringType)));
    }
    return unknown;
  }

  /** A change row of doc, id and SCAN with its mask, in which id is column 1. */
  private static Object[] document(
      int operation, int mask, @Nullable String doc, int id, byte @Nullable [] scan) {
    byte[] lsn = new Lsn(1, 0).bytes();
    return new Object[] {lsn, 1, lsn, operation, NOON, new byte[] {(byte) mask}, doc, id, scan};
  }

  private static Map<String, SqlType> everyType() {
    Map<String, SqlType> types = new LinkedHashMap<>();
    types.put("large", new SqlType("nvarchar", 4000, 0, 0));
    for (String name : List.of("bit", "tinyint", "int", "bigint", "real", "float")) {
      types.put(name, new SqlType(name, 0, 0, 0));
    }
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
        layout, new SnapshotHeader("dbo_orders", new Lsn(7, 0), NOON, null), fetchSize);
  }

  private static RowLayout layout(Map<String, SqlType> types) {
    List<CapturedColumn> captured = captured(types);
    return RowLayout.of(RowLayout.inferred(Set.of(RowLayout.Extra.COMMAND_ID), captured), captured);
  }

  private static List<CapturedColumn> captured(Map<String, SqlType> types) {
    List<CapturedColumn> captured = new ArrayList<>();
    types.forEach((name, type) -> captured.add(column(captured.size() + 1, name, type)));
    return captured;
  }

  private static CapturedColumn column(int ordinal, String name, SqlType type) {
    return new CapturedColumn(name, ordinal, ordinal, type);
  }
}
