package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyJson;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.keyrange.TablePart;
import io.github.mssqlcdc.testkit.source.OpenRows;
import io.github.mssqlcdc.type.SelectColumn;
import io.github.mssqlcdc.type.SqlType;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Ranges of a key hold the rows that the server's own comparison puts there. Each row has a number;
 * a table is cut at some bounds, and the numbers in each part are compared.
 */
class KeyRangeContractTest {
  private static ClientFixture fixture;

  @BeforeAll
  static void open() {
    fixture = new ClientFixture();
  }

  @AfterAll
  static void close() {
    fixture.close();
  }

  @Test
  void integersUpToTheEndsOfTheirTypes() throws SQLException {
    KeyColumn key = table("big", "bigint", type("bigint", 0));
    fixture.database.run(
        "INSERT INTO dbo.big VALUES (-9223372036854775808, 1), (-1, 2), (9007199254740993, 3),"
            + " (9007199254740994, 4), (9223372036854775807, 5)");

    assertThat(cut("big", key, "-9223372036854775808", "9007199254740994", "9223372036854775807"))
        .isEqualTo(parts("[]", "[1, 2, 3]", "[4]", "[5]"));
  }

  @Test
  void timesThatDifferInTheSeventhDigit() throws SQLException {
    KeyColumn key = table("seventh", "datetime2(7)", type("datetime2", 7));
    fixture.database.run(
        "INSERT INTO dbo.seventh VALUES ('2026-03-29T02:30:00.1234566', 1),"
            + " ('2026-03-29T02:30:00.1234567', 2), ('2026-03-29T02:30:00.1234568', 3),"
            + " ('9999-12-31T23:59:59.9999999', 4)");

    assertThat(
            cut(
                "seventh",
                key,
                "\"2026-03-29T02:30:00.1234567\"",
                "\"2026-03-29 02:30:00.1234568\"",
                "\"9999-12-31T23:59:59.9999999\""))
        .isEqualTo(parts("[1]", "[2]", "[3]", "[4]"));
  }

  @Test
  void guidsInTheServersOrderWhichLooksAtTheLastSixBytesFirst() throws SQLException {
    KeyColumn key = table("guids", "uniqueidentifier", type("uniqueidentifier", 0));
    fixture.database.run(
        "INSERT INTO dbo.guids VALUES ('FFFFFFFF-FFFF-FFFF-FFFF-000000000001', 1),"
            + " ('00000000-0000-0000-0001-000000000002', 2),"
            + " ('00000000-0000-0000-0000-000000000003', 3)");

    assertThat(
            cut(
                "guids",
                key,
                "\"00000000-0000-0000-0000-000000000002\"",
                "\"00000000-0000-0000-0000-000000000003\""))
        .isEqualTo(parts("[1]", "[2]", "[3]"));
    assertThat(fixture.database.query("SELECT n FROM dbo.guids ORDER BY k"))
        .containsExactly(List.of(1), List.of(2), List.of(3));
  }

  @Test
  void decimalsOfManyDigits() throws SQLException {
    KeyColumn key = table("decimals", "decimal(38,4)", new SqlType("decimal", 0, 38, 4));
    fixture.database.run(
        "INSERT INTO dbo.decimals VALUES (-1234567890123456789012345678901234.5678, 1),"
            + " (0.0001, 2), (1234567890123456789012345678901234.5677, 3),"
            + " (1234567890123456789012345678901234.5678, 4)");

    assertThat(cut("decimals", key, "0.0001", "1234567890123456789012345678901234.5678"))
        .isEqualTo(parts("[1]", "[2, 3]", "[4]"));
  }

  @Test
  void dates() throws SQLException {
    KeyColumn key = table("dates", "date", type("date", 0));
    fixture.database.run(
        "INSERT INTO dbo.dates VALUES ('0001-01-01', 1), ('1582-10-10', 2), ('9999-12-31', 3)");

    assertThat(cut("dates", key, "\"0001-01-01\"", "\"1582-10-11\"", "\"9999-12-31\""))
        .isEqualTo(parts("[]", "[1, 2]", "[]", "[3]"));
  }

  @Test
  void oldTimesOfDatetimeWhateverTheLanguage() throws SQLException {
    KeyColumn key = table("ticks", "datetime", type("datetime", 0));
    fixture.database.run(
        "INSERT INTO dbo.ticks VALUES ('2026-02-03T00:00:00.000', 1),"
            + " ('2026-02-03T00:00:00.003', 2), ('2026-02-03T00:00:00.007', 3)");

    assertThat(cut("ticks", key, "\"2026-02-03 00:00:00.003\"", "\"2026-02-03T00:00:00.007\""))
        .isEqualTo(parts("[1]", "[2]", "[3]"));
  }

  @Test
  void bytes() throws SQLException {
    KeyColumn key = table("bytes", "binary(3)", type("binary", 3));
    fixture.database.run(
        "INSERT INTO dbo.bytes VALUES (0x000001, 1), (0x7FFFFF, 2), (0x800000, 3), (0xFFFFFF, 4)");

    assertThat(cut("bytes", key, "\"0x7fffff\"", "\"0x800000\""))
        .isEqualTo(parts("[1]", "[2]", "[3, 4]"));
  }

  @Test
  void textsWithoutRegardToTrailingBlanks() throws SQLException {
    KeyColumn key = table("texts", "varchar(5)", type("varchar", 5));
    fixture.database.run(
        "INSERT INTO dbo.texts VALUES ('a', 1), ('b  ', 2), ('ba', 3), ('it''s', 4)");

    assertThat(cut("texts", key, "\"b\"", "\"ba   \"", "\"it's\""))
        .isEqualTo(parts("[1]", "[2]", "[3]", "[4]"));
  }

  @Test
  void textsInTheirColumnsOwnCollation() throws SQLException {
    KeyColumn binary = collated("binaries", "Latin1_General_BIN2");
    fixture.database.run(
        "INSERT INTO dbo.binaries VALUES (N'a', 3), (N'B', 1), (N'b', 4), (N'Z', 2)");
    KeyColumn greek = collated("greeks", "Greek_CI_AS");
    fixture.database.run("INSERT INTO dbo.greeks VALUES (N'α', 1), (N'Β', 2), (N'ω', 3)");

    assertThat(cut("binaries", binary, "\"Z\"", "\"a\"")).isEqualTo(parts("[1]", "[2]", "[3, 4]"));
    assertThat(cut("greeks", greek, "\"Α\"", "\"β\"", "\"Ω\""))
        .isEqualTo(parts("[]", "[1]", "[2]", "[3]"));
  }

  private static KeyColumn collated(String table, String collation) {
    KeyColumn key =
        table(table, "varchar(5) COLLATE " + collation, new SqlType("varchar", 5, 0, 0));
    return new KeyColumn(key.name(), key.type(), collation);
  }

  @Test
  void severalColumnsOneAfterTheOther() throws SQLException {
    KeyColumn region = new KeyColumn("region", type("int", 0), null);
    KeyColumn code = new KeyColumn("code", type("varchar", 10), null);
    fixture.database.run(
        "CREATE TABLE dbo.pairs (region int NOT NULL, code varchar(10) NOT NULL, n int NOT NULL,"
            + " PRIMARY KEY (region DESC, code))",
        "INSERT INTO dbo.pairs VALUES (1, 'a', 1), (1, 'c', 2), (2, 'a', 3), (2, 'b', 4),"
            + " (3, 'a', 5)");

    assertThat(cut("pairs", List.of(region, code), "[1, \"b\"]", "[2, \"b\"]", "[4, \"a\"]"))
        .isEqualTo(parts("[1]", "[2, 3]", "[4, 5]", "[]"));
  }

  @Test
  void nullsComeFirstInEachColumn() throws SQLException {
    fixture.database.run(
        "CREATE TABLE dbo.nulls (a int NULL, b int NULL, n int NOT NULL)",
        "CREATE UNIQUE INDEX ix ON dbo.nulls (a, b)",
        "INSERT INTO dbo.nulls VALUES (NULL, NULL, 1), (NULL, 7, 2), (1, NULL, 3), (1, 5, 4),"
            + " (2, NULL, 5), (2, 5, 6)");
    KeyColumn a = new KeyColumn("a", type("int", 0), null);
    KeyColumn b = new KeyColumn("b", type("int", 0), null);

    assertThat(cut("nulls", a, "1", "2")).isEqualTo(parts("[1, 2]", "[3, 4]", "[5, 6]"));
    assertThat(cut("nulls", List.of(a, b), "[null, 7]", "[1, null]", "[1, 5]", "[2, null]"))
        .isEqualTo(parts("[1]", "[2]", "[3]", "[4]", "[5, 6]"));
    assertThat(cut("nulls", List.of(a, b), "[1, 0]", "[2, 5]"))
        .isEqualTo(parts("[1, 2, 3]", "[4, 5]", "[6]"));
  }

  private static KeyColumn table(String name, String type, SqlType as) {
    fixture.database.run(
        "CREATE TABLE dbo." + name + " (k " + type + " NOT NULL PRIMARY KEY, n int NOT NULL)");
    return new KeyColumn("k", as, null);
  }

  private static SqlType type(String name, int lengthOrScale) {
    return new SqlType(name, lengthOrScale, 0, lengthOrScale);
  }

  private static List<String> parts(String... parts) {
    return List.of(parts);
  }

  private static List<String> cut(String table, KeyColumn key, String... bounds)
      throws SQLException {
    return cut(table, List.of(key), bounds);
  }

  /** The rows' numbers before the first bound, between each and the next, and after the last. */
  private static List<String> cut(String table, List<KeyColumn> key, String... bounds)
      throws SQLException {
    List<String> parts = new ArrayList<>();
    KeyBound lo = null;
    for (String bound : bounds) {
      KeyBound hi = KeyJson.parse(key, bound);
      parts.add(numbers(table, new KeyRange(key, lo, hi)));
      lo = hi;
    }
    parts.add(numbers(table, new KeyRange(key, lo, null)));
    return parts;
  }

  private static String numbers(String table, @Nullable KeyRange range) throws SQLException {
    CaptureInstance instance =
        new CaptureInstance("dbo_" + table, "dbo", table, 1, 2, null, LocalDateTime.MIN, List.of());
    List<Integer> numbers = new ArrayList<>();
    try (OpenRows cursor =
        OpenRows.of(
            fixture.client.readTable(
                instance, SelectColumn.plain(List.of("n")), TablePart.of(range), null))) {
      while (cursor.next()) {
        numbers.add(cursor.row().getInt(1));
      }
    }
    return numbers.stream().sorted().toList().toString();
  }
}
