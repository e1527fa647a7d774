package io.github.mssqlcdc.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.SourceBehindException;
import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.TablePart;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.options.SnapshotOptions;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.SqlServers;
import io.github.mssqlcdc.testkit.contract.KeyTables;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.source.OpenRows;
import io.github.mssqlcdc.type.SelectColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Chunks of tables of all kinds of keys, as the server compares them. Each row has a number {@code
 * n}, and the numbers in each chunk are looked at.
 */
@Timeout(120)
class ChunkPlannerContractTest {
  private static TestDatabase database;

  @BeforeAll
  static void open() {
    database = TestDatabases.create();
    for (KeyTables keys : KeyTables.values()) {
      keys.create(database);
    }
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @ParameterizedTest
  @EnumSource(KeyTables.class)
  void chunksHoldSoManyKeysInTheServersOrder(KeyTables keys) {
    List<Integer> ordered = keys.ordered(database);
    Table table = new Table(keys.table(), keys.names());
    TableExtent extent = table.extent();
    for (int chunkRows : new int[] {1, 3}) {
      List<PlannedChunk> chunks = table.plan(extent, chunkRows);

      assertThat(table.read(chunks))
          .as("chunks of %s", chunkRows)
          .isEqualTo(chunked(ordered, chunkRows));
      assertThat(chunks.get(chunks.size() - 1).isOpen()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(KeyTables.class)
  void theLastChunkEndsAtTheKeyThatFollowsTheOldMax(KeyTables keys) {
    List<Integer> ordered = keys.ordered(database);
    Table table = new Table(keys.table(), keys.names());
    TableExtent now = table.extent();
    PlannedChunk first = table.plan(now, 2).get(0);
    // as if the table had ended there when the snapshot was opened
    TableExtent then =
        new TableExtent(now.kind(), now.columns(), null, first.range().hi(), now.rows());

    List<PlannedChunk> chunks = table.plan(then, 2);

    assertThat(table.read(chunks)).isEqualTo(chunked(ordered.subList(0, 3), 2));
    assertThat(chunks.get(1).isOpen()).isFalse();
  }

  @Test
  void anIntegerKeyIsCutByTheRowsOfItsSlicesUpToBigintsMaximum() {
    String dense =
        IntStream.range(0, 1000).mapToObj(i -> "(" + i + ", " + i + ")").collect(joined());
    String sparse =
        IntStream.rangeClosed(1, 50)
            .mapToObj(i -> "(" + i * 10_000 + ", " + (999 + i) + ")")
            .collect(joined());
    KeyTables.create(database, "skewed", "k bigint NOT NULL PRIMARY KEY", dense);
    database.run(
        "INSERT INTO dbo.skewed VALUES " + sparse,
        "INSERT INTO dbo.skewed VALUES (9223372036854775807, 1050)");
    Table table = new Table("skewed", null);

    List<PlannedChunk> chunks = table.plan(table.extent(), 100);

    List<List<Integer>> read = table.read(chunks);
    assertThat(read).hasSizeLessThanOrEqualTo(12).allMatch(rows -> rows.size() <= 100);
    assertThat(read.stream().map(List::size))
        .isEqualTo(chunks.stream().map(chunk -> Math.toIntExact(Objects.requireNonNull(chunk.rows()))).toList());
    assertThat(read.stream().flatMap(List::stream))
        .containsExactlyElementsOf(IntStream.rangeClosed(0, 1050).boxed().toList());
    assertThat(chunks.get(chunks.size() - 1).range().hi())
        .isEqualTo(KeyBound.of("9223372036854775808"));
  }

  @Test
  void integersOfEveryTypeAreCutFromEndToEnd() {
    Map<String, List<String>> ends =
        Map.of(
            "tinyint", List.of("0", "1", "200", "255"),
            "smallint", List.of("-32768", "-1", "0", "32767"),
            "int", List.of("-2147483648", "-1", "0", "2147483647"),
            "bigint", List.of("-9223372036854775808", "-1", "0", "9223372036854775807"));
    ends.forEach(
        (type, values) -> {
          String rows =
              IntStream.range(0, values.size())
                  .mapToObj(i -> "(" + values.get(i) + ", " + i + ")")
                  .collect(joined());
          KeyTables.create(database, "all_" + type, "k " + type + " NOT NULL PRIMARY KEY", rows);
          Table table = new Table("all_" + type, null);
          TableExtent extent = table.extent();

          assertThat(extent.min()).isEqualTo(KeyBound.of(values.get(0)));
          assertThat(extent.max()).isEqualTo(KeyBound.of(values.get(3)));
          assertThat(table.read(table.plan(extent, 1)))
              .isEqualTo(List.of(List.of(0), List.of(1), List.of(2), List.of(3)));
          assertThat(table.read(table.plan(extent, 2)))
              .isEqualTo(List.of(List.of(0, 1), List.of(2, 3)));
        });
  }

  @Test
  void nullsAreInTheFirstChunkAndNoValueIsSplit() {
    String rows = "(NULL, 1), (NULL, 2), (NULL, 3), (5, 4), (5, 5), (5, 6), (6, 7), (7, 8), (8, 9)";
    KeyTables.create(database, "repeated_int", "k int NULL", rows);
    KeyTables.create(database, "repeated_text", "k varchar(5) NULL", rows);

    for (int chunkRows = 1; chunkRows <= 3; chunkRows++) {
      for (String name : List.of("repeated_int", "repeated_text")) {
        Table table = new Table(name, List.of("k"));
        List<List<Integer>> read = table.read(table.plan(table.extent(), chunkRows));

        assertThat(read.get(0)).contains(1, 2, 3);
        assertThat(read.stream().filter(chunk -> chunk.contains(4)))
            .singleElement()
            .satisfies(chunk -> assertThat(chunk).contains(4, 5, 6));
        assertThat(read.stream().flatMap(List::stream)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
        int most = Math.max(2 * 3, 2 * chunkRows) - 1;
        assertThat(read).allMatch(chunk -> chunk.size() <= 3 + most);
      }
      Table text = new Table("repeated_text", List.of("k"));
      int limit = Math.max(2 * 3, 2 * chunkRows);
      assertThat(text.read(text.plan(text.extent(), chunkRows)))
          .allMatch(chunk -> chunk.size() < limit);
    }
  }

  @Test
  void aTableWithoutValuesIsOneChunkOfNullsAlone() {
    KeyTables.create(database, "only_nulls", "k int NULL, t varchar(5) NULL", "(NULL, NULL, 1)");
    Table numbers = new Table("only_nulls", List.of("k"));
    Table texts = new Table("only_nulls", List.of("t"));
    List<PlannedChunk> byNumber = numbers.plan(numbers.extent(), 5);
    TableExtent extent = texts.extent();
    List<PlannedChunk> byText = texts.plan(extent, 5);
    assertThat(byText).singleElement().matches(PlannedChunk::isOpen);

    database.run("INSERT INTO dbo.only_nulls VALUES (-2147483648, '', 2)");

    assertThat(numbers.read(byNumber)).isEqualTo(List.of(List.of(1)));
    PlannedChunk closed = texts.planner.closed(extent, byText.get(0));
    assertThat(texts.read(List.of(closed))).isEqualTo(List.of(List.of(1)));
  }

  @Test
  void aTableThatWasEmptyAtTheOpenHasAChunkThatStaysEmpty() {
    KeyTables.create(database, "late", "k varchar(5) NOT NULL PRIMARY KEY", "('x', 1)");
    database.run("DELETE FROM dbo.late");
    Table table = new Table("late", null);
    TableExtent extent = table.extent();
    assertThat(extent.max()).isNull();
    PlannedChunk open = table.plan(extent, 5).get(0);
    assertThat(table.planner.closed(extent, open)).isEqualTo(open);

    database.run("INSERT INTO dbo.late VALUES ('b', 2), ('a', 3)");

    PlannedChunk closed = table.planner.closed(extent, open);
    assertThat(closed.isOpen()).isFalse();
    assertThat(table.read(List.of(closed))).isEqualTo(List.of(List.of()));
    assertThat(table.plan(extent, 5)).containsExactly(closed);
  }

  @Test
  void withoutAKeyTheTableIsOneChunk() {
    KeyTables.create(database, "heap", "k time NOT NULL", "('00:00:01', 1), ('00:00:02', 2)");
    for (@Nullable List<String> keys : Arrays.asList(null, List.of("k"))) {
      Table table = new Table("heap", keys);
      TableExtent extent = table.extent();

      assertThat(extent.kind()).isNull();
      assertThat(extent.rows()).isEqualTo(2);
      List<PlannedChunk> chunks = table.plan(extent, 1);
      assertThat(table.read(chunks)).isEqualTo(List.of(List.of(1, 2)));
      assertThat(chunks.get(0).isOpen()).isFalse();
    }
  }

  @Test
  void aLargestKeyThatNoClientCanReadMakesOneChunk() {
    KeyTables.create(
        database,
        "half_max",
        "k nvarchar(10) COLLATE Latin1_General_BIN2 NOT NULL PRIMARY KEY",
        "(N'a', 1), (N'b', 2), (NCHAR(57343), 3), (NCHAR(57343) + N'z', 4)");
    Table table = new Table("half_max", null);
    TableExtent extent = table.extent();

    assertThat(extent.kind()).isNull();
    assertThat(table.read(table.plan(extent, 1))).isEqualTo(List.of(List.of(1, 2, 3, 4)));
  }

  @Test
  void anExtentIsNotReadFromAServerBehindTheStamp() {
    Table table = new Table(KeyTables.GUID.table(), null);

    assertThatThrownBy(() -> table.planner.extent(table.key, Lsn.parse("0xFFFFFFFF000000000001")))
        .isInstanceOf(SourceBehindException.class)
        .hasMessageStartingWith(
            "Cannot read dbo_t_GUID up to 0xFFFFFFFF000000000001: the server's max LSN is ");
  }

  @Test
  void underSnapshotIsolationPlanningDoesNotWaitForWriters() throws SQLException {
    String name = "[" + database.query("SELECT DB_NAME()").get(0).get(0) + "]";
    KeyTables.create(
        database, "busy", "k int NOT NULL, j int NOT NULL, PRIMARY KEY (k, j)", "(1, 1, 1)");
    KeyTables.create(database, "busy_int", "k int NOT NULL PRIMARY KEY", "(1, 1), (2, 2)");
    for (String busy : List.of("busy", "busy_int")) {
      database.run("ALTER DATABASE " + name + " SET ALLOW_SNAPSHOT_ISOLATION OFF");
      Table snapshot = new Table(busy, null, "isolationLevel", "snapshot");
      assertThatThrownBy(snapshot::extent)
          .isInstanceOf(CdcException.class)
          .hasMessageContaining("(error 3952; server ");
      database.run("ALTER DATABASE " + name + " SET ALLOW_SNAPSHOT_ISOLATION ON");
      try (Connection writer = database.connect();
          Statement statement = writer.createStatement()) {
        writer.setAutoCommit(false);
        statement.execute("UPDATE dbo." + busy + " SET n = 9");

        assertThat(snapshot.plan(snapshot.extent(), 1)).isNotEmpty();
        writer.rollback();
      }
    }
  }

  private static Collector<CharSequence, ?, String> joined() {
    return Collectors.joining(", ");
  }

  private static List<List<Integer>> chunked(List<Integer> ordered, int chunkRows) {
    List<List<Integer>> chunks = new ArrayList<>();
    for (int at = 0; at < ordered.size(); at += chunkRows) {
      chunks.add(
          ordered.subList(at, Math.min(ordered.size(), at + chunkRows)).stream().sorted().toList());
    }
    return chunks;
  }

  /** A table as a client with its own options sees it. */
  private static final class Table {
    private final SqlServer server;
    private final CaptureInstance instance;
    private final SnapshotKey key;
    private final ChunkPlanner planner;

    Table(String name, @Nullable List<String> keys, String... options) {
      Map<String, String> all = new HashMap<>(database.options());
      all.put("captureInstance", "dbo_" + name);
      for (int i = 0; i < options.length; i += 2) {
        all.put(options[i], options[i + 1]);
      }
      server = SqlServers.connect(SnapshotOptions.parse(all).source(), Duration.ZERO);
      instance = server.captureInstance("dbo_" + name);
      key = SnapshotKey.of(instance, server.capturedColumns(instance), keys);
      planner = new ChunkPlanner(server, instance);
    }

    TableExtent extent() {
      return planner.extent(key, null);
    }

    List<PlannedChunk> plan(TableExtent extent, long chunkRows) {
      return planner.plan(extent, chunkRows);
    }

    /** The numbers in each chunk, in ascending order. */
    List<List<Integer>> read(List<PlannedChunk> chunks) {
      List<List<Integer>> all = new ArrayList<>();
      for (PlannedChunk chunk : chunks) {
        List<Integer> numbers = new ArrayList<>();
        try (OpenRows cursor =
            OpenRows.of(
                server.readTable(
                    instance,
                    SelectColumn.plain(List.of("n")),
                    TablePart.of(chunk.range()),
                    null))) {
          while (cursor.next()) {
            numbers.add(cursor.row().getInt(1));
          }
        } catch (SQLException e) {
          throw new IllegalStateException(e);
        }
        all.add(numbers.stream().sorted().toList());
      }
      return all;
    }
  }
}
