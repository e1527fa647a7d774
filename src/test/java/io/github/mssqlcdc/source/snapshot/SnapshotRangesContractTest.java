package io.github.mssqlcdc.source.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.chunk.SnapshotKey;
import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.keyrange.KeysetPlanner;
import io.github.mssqlcdc.keyrange.TablePart;
import io.github.mssqlcdc.options.SnapshotOptions;
import io.github.mssqlcdc.source.row.CaptureSet;
import io.github.mssqlcdc.source.row.CapturedTable;
import io.github.mssqlcdc.sqlserver.KeySeek;
import io.github.mssqlcdc.sqlserver.RowCursor;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.SqlServers;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.type.SelectColumn;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tables of all kinds of keys are cut where the server's own order says. Each row has a number
 * {@code n}, and the numbers of each part are looked at.
 */
class SnapshotRangesContractTest {
  private static TestDatabase database;

  /** A table, what its key is, and rows in any order, without their numbers. */
  private enum Keys {
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

    Keys(String columns, String key, String rows) {
      this.columns = columns;
      this.key = key;
      this.rows = rows;
    }

    String table() {
      return "t_" + name();
    }

    List<String> names() {
      return List.of(key.split(", "));
    }

    /** The rows' numbers in the server's order. */
    List<Integer> ordered() {
      return numbers("SELECT n FROM dbo." + table() + " ORDER BY " + key);
    }

    void create() {
      StringBuilder numbered = new StringBuilder();
      int n = 0;
      for (String row : rows.split("\\), \\(")) {
        String bare = row.replaceAll("^\\(|\\)$", "");
        numbered.append(n++ == 0 ? "" : ", ").append("(").append(bare).append(", ").append(n);
        numbered.append(")");
      }
      createTable(table(), columns, numbered.toString());
    }
  }

  @BeforeAll
  static void open() {
    database = TestDatabases.create();
    for (Keys keys : Keys.values()) {
      keys.create();
    }
    createTable(
        "repeated", "k int NULL", "(NULL, 1), (NULL, 2), (5, 3), (5, 4), (5, 5), (5, 6), (6, 7)");
    createTable(
        "clock",
        "k time NOT NULL PRIMARY KEY",
        "('00:00:01', 1), ('00:00:02', 2), ('00:00:03', 3)");
    database.awaitCapture();
  }

  private static void createTable(String name, String columns, String rows) {
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

  @AfterAll
  static void close() {
    database.close();
  }

  @ParameterizedTest
  @EnumSource(Keys.class)
  void everyRowIsReadOnceInAsManyEqualRangesAsAskedFor(Keys keys) throws IOException {
    List<Integer> ordered = keys.ordered();
    for (int count = 1; count <= 6; count++) {
      List<List<Integer>> parts = read(scan(keys.table(), count, keys.names()));

      assertThat(parts).as("in %s parts", count).isEqualTo(tiles(ordered, count));
    }
  }

  @ParameterizedTest
  @EnumSource(Keys.class)
  void everyRowIsReadOnceHoweverWrongTheServersCountIs(Keys keys) throws IOException {
    SqlServer server =
        SqlServers.connect(options(keys.table(), 3, keys.names()).source(), Duration.ZERO);
    CapturedTable table = CaptureSet.load(server, "dbo_" + keys.table()).whole();
    SnapshotKey key = SnapshotKey.of(table.instance(), table.columns(), keys.names());
    List<Integer> ordered = keys.ordered();
    for (int counted : new int[] {0, 1, 2, 3, 5, 40, 1_000_000}) {
      List<Integer> numbers = new ArrayList<>();
      List<KeyRange> ranges =
          KeysetPlanner.plan(
              key.columns(),
              counted,
              4,
              (from, rows) ->
                  server.seekKey(
                      table.instance(), new KeySeek(key.columns(), List.of(), from, rows)));
      for (KeyRange range : ranges) {
        numbers.addAll(numbers(server, table, range));
      }

      assertThat(ranges).hasSizeLessThanOrEqualTo(4);
      assertThat(numbers).as("counted %s", counted).containsExactlyInAnyOrderElementsOf(ordered);
    }
  }

  @Test
  void aRepeatedValueIsNeverSplit() throws IOException {
    assertThat(read(scan("repeated", 3, List.of("k"))).stream().flatMap(List::stream))
        .containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7);
    SqlServer server =
        SqlServers.connect(options("repeated", 3, List.of("k")).source(), Duration.ZERO);
    CapturedTable table = CaptureSet.load(server, "dbo_repeated").whole();
    List<KeyBound> bounds = new ArrayList<>();
    Optional<KeyBound> next = Optional.empty();
    do {
      next =
          server.seekKey(
              table.instance(),
              new KeySeek(
                  SnapshotKey.of(table.instance(), table.columns(), List.of("k")).columns(),
                  List.of(),
                  next.orElse(null),
                  2));
      next.ifPresent(bounds::add);
    } while (next.isPresent());

    assertThat(bounds).containsExactly(KeyBound.of("5"));
  }

  @Test
  void aKeyThatNoBoundCanBeFoundOnIsReadWhole() throws IOException {
    assertThat(read(scan("clock", 3, null))).containsExactly(List.of(1, 2, 3));
    assertThat(read(scan(Keys.NULLS.table(), 3, null))).hasSize(1);
  }

  private static List<List<Integer>> tiles(List<Integer> ordered, int count) {
    int tiles = Math.min(count, ordered.size());
    List<List<Integer>> parts = new ArrayList<>();
    int at = 0;
    for (int i = 0; i < tiles; i++) {
      int size = ordered.size() / tiles + (i < ordered.size() % tiles ? 1 : 0);
      parts.add(ordered.subList(at, at + size).stream().sorted().toList());
      at += size;
    }
    return parts;
  }

  private static List<Integer> numbers(String sql) {
    return database.query(sql).stream().map(row -> (Integer) row.get(0)).toList();
  }

  private static List<Integer> numbers(SqlServer server, CapturedTable table, KeyRange range) {
    List<Integer> numbers = new ArrayList<>();
    try (RowCursor cursor =
        server.readTable(
            table.instance(), SelectColumn.plain(List.of("n")), TablePart.of(range), null)) {
      while (cursor.next()) {
        numbers.add(cursor.row().getInt(1));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return numbers;
  }

  private static Batch scan(String table, int count, @Nullable List<String> keys) {
    SnapshotOptions options = options(table, count, keys);
    return new SnapshotScanBuilder(
            () -> SqlServers.connect(options.source(), Duration.ZERO),
            options,
            new StructType().add("n", DataTypes.IntegerType))
        .build()
        .toBatch();
  }

  private static SnapshotOptions options(String table, int count, @Nullable List<String> keys) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_" + table);
    options.put("numPartitions", String.valueOf(count));
    if (keys != null) {
      options.put("snapshotKeys", "[\"" + String.join("\", \"", keys) + "\"]");
    }
    return SnapshotOptions.parse(options);
  }

  /** The numbers of each part, in ascending order. */
  private static List<List<Integer>> read(Batch batch) throws IOException {
    PartitionReaderFactory factory = batch.createReaderFactory();
    List<List<Integer>> parts = new ArrayList<>();
    for (InputPartition partition : batch.planInputPartitions()) {
      List<Integer> numbers = new ArrayList<>();
      try (PartitionReader<ColumnarBatch> reader = factory.createColumnarReader(partition)) {
        while (reader.next()) {
          ColumnarBatch rows = reader.get();
          IntStream.range(0, rows.numRows()).forEach(i -> numbers.add(rows.column(0).getInt(i)));
        }
      }
      parts.add(numbers.stream().sorted().toList());
    }
    return parts;
  }
}
