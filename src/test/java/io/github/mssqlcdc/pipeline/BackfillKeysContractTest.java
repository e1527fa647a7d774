package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chunks of keys that aren't one integer, while they are written to. */
@Tag("spark")
@SuppressWarnings("NullAway.Init")
final class BackfillKeysContractTest {
  private static TestDatabase database;

  @TempDir private Path folder;

  @BeforeAll
  static void open() {
    database = TestDatabases.create();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private BackfillFixture table(String name, String columns, String rows) {
    BackfillFixture lake = new BackfillFixture(database, folder, name);
    lake.change(
        "CREATE TABLE $t (" + columns + ")",
        "INSERT INTO $t VALUES " + rows,
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
            + name
            + "', @role_name = NULL");
    return lake;
  }

  private static List<String> source(BackfillFixture lake, String columns) {
    return database.query("SELECT " + columns + " FROM dbo." + lake.table()).stream()
        .map(row -> row.stream().map(Objects::toString).collect(Collectors.joining("|")))
        .sorted()
        .toList();
  }

  @Test
  void aTextAndANumberInTheOtherDirectionUnderChangesBetweenWaves() throws Exception {
    BackfillFixture lake =
        table(
            "composite",
            "code varchar(10) COLLATE Latin1_General_CI_AS NOT NULL, n int NOT NULL, v int NULL,"
                + " PRIMARY KEY (code, n DESC)",
            "('a', 1, 0), ('A', 2, 0), ('b', 1, 0), ('B', 2, 0), ('b', 3, 0), ('c', 1, 0),"
                + " ('d', 1, 0), ('e', 1, 0), ('E', 2, 0), ('f', 1, 0)");
    lake.run(lake.toDelta(lake.stream()));
    assertThat(lake.backfill(lake.stream()).chunkRows(3).maxWaves(1).run().chunksTotal())
        .isEqualTo(4);
    assertThat(lake.sql("SELECT hi FROM $plans WHERE entry = 'plan' AND last"))
        .containsExactly("null");

    lake.change(
        "UPDATE $t SET v = 1 WHERE code = 'a'",
        "DELETE FROM $t WHERE code = 'd'",
        "UPDATE $t SET n = 9 WHERE code = 'E' AND n = 2",
        "INSERT INTO $t VALUES ('C', 7, 0), ('g', 1, 0)");
    assertThat(lake.backfill(lake.stream()).run().chunksTotal()).isEqualTo(4);
    lake.change("INSERT INTO $t VALUES ('f', 0, 0), ('h', 1, 0)");
    lake.run(lake.toDelta(lake.stream()));

    assertThat(lake.rebuilt("lower(code), n", "code, n, v"))
        .isEqualTo(source(lake, "code, n, v"));
    assertThat(lake.twice("lower(code), n")).isEmpty();
    assertThat(
            lake.sql(
                "SELECT concat_ws('|', chunk, lo <=> lag(hi) OVER (ORDER BY chunk), rows BETWEEN 1"
                    + " AND 5, if(last, hi, '-')) FROM $plans WHERE entry = 'chunk' ORDER BY chunk"))
        .containsExactly(
            "0|true|true|-", "1|true|true|-", "2|true|true|-", "3|true|true|[\"g\", 1]");
  }
}
