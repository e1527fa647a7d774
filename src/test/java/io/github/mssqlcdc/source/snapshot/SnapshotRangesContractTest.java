package io.github.mssqlcdc.source.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.chunk.SnapshotKey;
import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.keyrange.KeysetPlanner;
import io.github.mssqlcdc.keyrange.TablePart;
import io.github.mssqlcdc.options.SnapshotOptions;
import io.github.mssqlcdc.source.row.CaptureSet;
import io.github.mssqlcdc.source.row.CapturedTable;
import io.github.mssqlcdc.sqlserver.KeySeek;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.SqlServers;
import io.github.mssqlcdc.sqlserver.TestClients;
import io.github.mssqlcdc.testkit.contract.KeyTables;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.source.OpenRows;
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

  @BeforeAll
  static void open() {
    database = TestDatabases.create();
    for (KeyTables keys : KeyTables.values()) {
      keys.create(database);
    }
    KeyTables.create(
        database,
        "repeated",
        "k int NULL",
        "(NULL, 1), (NULL, 2), (5, 3), (5, 4), (5, 5), (5, 6), (6, 7)");
    KeyTables.create(
        database,
        "clock",
        "k time NOT NULL PRIMARY KEY",
        "('00:00:01', 1), ('00:00:02', 2), ('00:00:03', 3)");
    database.awaitCapture();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @ParameterizedTest
  @EnumSource(KeyTables.class)
  void everyRowIsReadOnceInAsManyEqualRangesAsAskedFor(KeyTables keys) throws IOException {
    List<Integer> ordered = keys.ordered(database);
    for (int count = 1; count <= 6; count++) {
      List<List<Integer>> parts = read(scan(keys.table(), count, keys.names()));

      assertThat(parts).as("in %s parts", count).isEqualTo(tiles(ordered, count));
    }
  }

  @ParameterizedTest
  @EnumSource(KeyTables.class)
  void everyRowIsReadOnceHoweverWrongTheServersCountIs(KeyTables keys) throws IOException {
    SqlServer server =
        SqlServers.connect(options(keys.table(), 3, keys.names()).source(), Duration.ZERO);
    CapturedTable table = CaptureSet.load(server, "dbo_" + keys.table()).whole();
    SnapshotKey key = SnapshotKey.of(table.instance(), table.columns(), keys.names());
    List<Integer> ordered = keys.ordered(database);
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

  @ParameterizedTest
  @EnumSource(value = KeyTables.class, names = "NULLS", mode = EnumSource.Mode.EXCLUDE)
  void aReadInOrderGoesOnAfterEachKey(KeyTables keys) {
    SnapshotOptions options = options(keys.table(), 1, keys.names());
    SqlServer server = TestClients.connect(options);
    CapturedTable table = CaptureSet.load(server, "dbo_" + keys.table()).whole();
    List<KeyColumn> key = SnapshotKey.of(table.instance(), table.columns(), keys.names()).columns();
    List<String> columns = new ArrayList<>(List.of("n"));
    columns.addAll(keys.names());

    List<Integer> numbers =
        OpenRows.overBreaks(
            server.readTable(
                table.instance(), SelectColumn.plain(columns), TablePart.WHOLE.inOrder(key), null),
            row -> row.getInt(1));

    assertThat(numbers).isEqualTo(keys.ordered(database));
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
  void keysWithHalvesOfSurrogatePairsAreReadOnce() throws IOException {
    for (String collation : List.of("Latin1_General_CI_AS", "Latin1_General_BIN2")) {
      String name = "halves_" + collation;
      KeyTables.create(
          database,
          name,
          "k nvarchar(10) COLLATE " + collation + " NOT NULL, j int NOT NULL, PRIMARY KEY (k, j)",
          "(N'a', 1, 1), (N'a' + NCHAR(55296), 2, 2), (N'b' + NCHAR(56320) + N'z', 3, 3), (N'c', 4,"
              + " 4), (NCHAR(55357), 5, 5), (N'd' + NCHAR(55357) + N'e', 6, 6), (N'😀', 7, 7),"
              + " (NCHAR(65533), 8, 8)");
      database.awaitCapture();
      for (int count = 2; count <= 8; count++) {
        assertThat(read(scan(name, count, null)).stream().flatMap(List::stream))
            .as("%s, %s parts", collation, count)
            .containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7, 8);
      }
    }
  }

  @Test
  void aKeyThatNoBoundCanBeFoundOnIsReadWhole() throws IOException {
    assertThat(read(scan("clock", 3, null))).containsExactly(List.of(1, 2, 3));
    assertThat(read(scan(KeyTables.NULLS.table(), 3, null))).hasSize(1);
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

  private static List<Integer> numbers(SqlServer server, CapturedTable table, KeyRange range) {
    List<Integer> numbers = new ArrayList<>();
    try (OpenRows cursor =
        OpenRows.of(
            server.readTable(
                table.instance(), SelectColumn.plain(List.of("n")), TablePart.of(range), null))) {
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
