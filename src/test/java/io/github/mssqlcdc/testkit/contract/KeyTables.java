package io.github.mssqlcdc.testkit.contract;

import java.util.List;

/** A table, what its key is, and rows in any order, without their numbers. */
public enum KeyTables {
  GUID(
      "k uniqueidentifier NOT NULL PRIMARY KEY",
      "k",
      "('FFFFFFFF-FFFF-FFFF-FFFF-000000000001'), ('00000000-0000-0000-0001-000000000002'),"
          + " ('00000000-0000-0000-0000-000000000003'), ('01000000-0000-0000-0000-000000000003'),"
          + " ('00000000-0000-0000-0100-000000000003'), ('AAAAAAAA-0000-0000-0000-FF0000000000'),"
          + " ('AAAAAAAB-0000-0000-0000-FF0000000000')"),
  SEVENTH_DIGITS(
      "k datetime2(7) NOT NULL PRIMARY KEY",
      "k",
      "('2026-03-29T02:30:00.1234567'), ('2026-03-29T02:30:00.1234568'),"
          + " ('2026-03-29T02:30:00.1234566'), ('0001-01-01T00:00:00'),"
          + " ('9999-12-31T23:59:59.9999999'), ('9999-12-31T23:59:59.9999998'),"
          + " ('1582-10-10T00:00:00.0000001')"),
  SEVENTH_DIGITS_IN_FRONT(
      "k datetime2(7) NOT NULL, j int NOT NULL, PRIMARY KEY (k, j)",
      "k, j",
      "('2026-01-01T00:00:00.1234567', 1), ('2026-01-01T00:00:00.1234567', 2),"
          + " ('2026-01-01T00:00:00.1234568', 1), ('2026-01-01T00:00:00.1234568', 2),"
          + " ('2026-01-01T00:00:00.1234569', 1)"),
  TICKS(
      "k datetime NOT NULL PRIMARY KEY",
      "k",
      "('2026-02-03T00:00:00.003'), ('2026-02-03T00:00:00.007'), ('2026-02-03T00:00:00.010'),"
          + " ('2026-02-03T00:00:00.000'), ('1753-01-01T00:00:00'), ('2026-03-29T02:30:00.997')"),
  OFFSETS(
      "k datetimeoffset(7) NOT NULL PRIMARY KEY",
      "k",
      "('2026-02-28T01:02:03.1234567-03:00'), ('2026-02-28T01:02:03.1234567+03:00'),"
          + " ('2026-02-28T01:02:03.1234568+03:00'), ('2026-02-28T00:00:00+14:00'),"
          + " ('2026-02-28T00:00:00-14:00')"),
  DATES(
      "k date NOT NULL PRIMARY KEY",
      "k",
      "('2026-03-29'), ('1582-10-10'), ('0001-01-01'), ('9999-12-31'), ('1900-01-01')"),
  TURKISH(
      "k varchar(20) COLLATE Turkish_CI_AS NOT NULL PRIMARY KEY",
      "k",
      "(N'ırmak'), (N'irmik'), (N'İzmir'), (N'Isparta'), (N'çay'), (N'şeker'), (N'ğ'), (N'zar')"),
  GREEK(
      "k varchar(20) COLLATE Greek_CI_AS NOT NULL PRIMARY KEY",
      "k",
      "(N'α'), (N'Β'), (N'γάμμα'), (N'Ω'), (N'ωμέγα'), (N'latin')"),
  TRAILING_BLANKS(
      "k varchar(10) NOT NULL PRIMARY KEY",
      "k",
      "('a  '), ('ab'), ('b '), ('b1 '), ('it''s'), (' a'), ('')"),
  UNICODE(
      "k nvarchar(10) NOT NULL PRIMARY KEY",
      "k",
      "(N'é'), (N'e'), (N'Zoë'), (N'zoé'), (N'日本'), (N'x')"),
  DECIMALS(
      "k decimal(38,10) NOT NULL PRIMARY KEY",
      "k",
      "(1234567890123456789012345678.0123456789), (1234567890123456789012345678.0123456788),"
          + " (-0.0000000001), (0), (0.5), (-7)"),
  BYTES(
      "k binary(3) NOT NULL PRIMARY KEY",
      "k",
      "(0x000001), (0x7FFFFF), (0x800000), (0xFFFFFF), (0x00FF00)"),
  BITS(
      "b bit NOT NULL, k tinyint NOT NULL, PRIMARY KEY (b, k)",
      "b, k",
      "(0, 1), (0, 255), (1, 0), (1, 7), (1, 255)"),
  DESCENDING(
      "k bigint NOT NULL, j varchar(5) NOT NULL, PRIMARY KEY (k DESC, j DESC)",
      "k, j",
      "(9223372036854775807, 'a'), (9223372036854775806, 'a'), (-9223372036854775808, 'b'),"
          + " (0, 'c'), (0, 'a'), (0, 'b'), (1, 'a'), (2, 'a')"),
  MIXED_DIRECTIONS(
      "k int NOT NULL, j int NOT NULL, PRIMARY KEY (k DESC, j)",
      "k, j",
      "(1, 1), (1, 2), (1, 3), (2, 2), (2, 1), (3, 0), (0, 0), (-1, 9)"),
  EQUAL_FOR_THE_SERVER(
      "k varchar(5) NOT NULL, j int NOT NULL, PRIMARY KEY (k, j)",
      "k, j",
      "('n', 1), ('N', 2), ('n ', 3), ('N', 4), ('n', 5), ('m', 1), ('o', 1)"),
  THREE_COLUMNS(
      "a int NOT NULL, b nvarchar(5) NOT NULL, c date NOT NULL, PRIMARY KEY (a, b, c)",
      "a, b, c",
      "(1, N'x', '2026-01-01'), (1, N'x', '2026-01-02'), (1, N'x', '2026-01-03'),"
          + " (1, N'Y', '2026-01-01'), (2, N'a', '2026-01-01'), (2, N'a', '2026-01-02'),"
          + " (2, N'b', '2025-12-31'), (3, N'', '0001-01-01')"),
  NULLS(
      "a int NULL, b varchar(5) NULL",
      "a, b",
      "(NULL, NULL), (NULL, 'x'), (NULL, 'y'), (1, NULL), (1, 'x'), (2, NULL), (2, 'a')");

  private final String columns;
  private final String key;
  private final String rows;

  KeyTables(String columns, String key, String rows) {
    this.columns = columns;
    this.key = key;
    this.rows = rows;
  }

  public String table() {
    return "t_" + name();
  }

  public List<String> names() {
    return List.of(key.split(", "));
  }

  /** The rows' numbers in the server's order. */
  public List<Integer> ordered(TestDatabase database) {
    return database.query("SELECT n FROM dbo." + table() + " ORDER BY " + key).stream()
        .map(row -> (Integer) row.get(0))
        .toList();
  }

  public void create(TestDatabase database) {
    StringBuilder numbered = new StringBuilder();
    int n = 0;
    for (String row : rows.split("\\), \\(")) {
      String bare = row.replaceAll("^\\(|\\)$", "");
      numbered.append(n++ == 0 ? "" : ", ").append("(").append(bare).append(", ").append(n);
      numbered.append(")");
    }
    create(database, table(), columns, numbered.toString());
  }

  /** A captured table whose last column is the rows' number {@code n}. */
  public static void create(TestDatabase database, String name, String columns, String rows) {
    database.run(
        "CREATE TABLE dbo."
            + name
            + " ("
            + columns.replaceFirst(", PRIMARY KEY", ", n int NOT NULL, PRIMARY KEY")
            + (columns.contains(", PRIMARY KEY") ? ")" : ", n int NOT NULL)"),
        "INSERT INTO dbo." + name + " VALUES " + rows,
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
            + name
            + "', @role_name = NULL, @supports_net_changes = 0");
  }
}
