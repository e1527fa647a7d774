package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcError;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The columns of a target and those of the copy that it is begun with, against a server. */
@Tag("spark")
@SuppressWarnings("NullAway.Init")
final class SeedColumnsContractTest {
  private static TestDatabase database;

  @TempDir private Path folder;
  private SeedFixture lake;

  @BeforeAll
  static void open() {
    database = TestDatabases.create();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @BeforeEach
  void createTable() {
    lake =
        SeedFixture.create(
            database,
            folder,
            "id int NOT NULL PRIMARY KEY, name nvarchar(50) NULL, size smallint NULL");
    lake.change("INSERT INTO $t VALUES (1, N'one', 1), (2, N'two', 2), (3, N'three', 3)");
  }

  @Test
  void columnsThatTheCopyLacksAreUnknownUntilAChangeBringsThem() throws Exception {
    Lsn lsn = lake.maxLsn();
    Dataset<Row> copy = lake.frame("VALUES (1, 1), (2, 2), (3, 3) AS c(id, SIZE)");
    assertThatThrownBy(() -> lake.withFacts(lake.seed(copy, lsn)).run())
        .isInstanceOfSatisfying(
            CdcError.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_COLUMN))
        .hasMessageContaining(
            "The copy lacks columns [name] of the stream; it has [id, SIZE]. Give it these columns,"
                + " or set allowMissingColumns(true)");
    lake.assertNothingWritten();

    lake.withFacts(lake.seed(copy, lsn).allowMissingColumns(true)).run();
    lake.change("UPDATE $t SET name = N'TWO' WHERE id = 2");
    lake.run();

    assertThat(
            lake.sql(
                "SELECT id, name, size, _unknown_columns FROM $bronze WHERE _operation IN (0, 4)"
                    + " ORDER BY id, _operation"))
        .containsExactly(
            "1|null|1|ArraySeq(name)",
            "2|null|2|ArraySeq(name)",
            "2|TWO|2|null",
            "3|null|3|ArraySeq(name)");
  }

  @Test
  void aValueThatDoesNotFitItsColumnIsAnErrorWhateverTheSessionSays() {
    Lsn lsn = lake.maxLsn();
    for (String ansi : List.of("true", "false")) {
      SeedFixture.spark().conf().set("spark.sql.ansi.enabled", ansi);
      try {
        for (String size : List.of("40000L", "'x'")) {
          Dataset<Row> copy = lake.frame("VALUES (1, 'one', " + size + ") AS c(id, name, size)");
          assertThatThrownBy(() -> lake.seed(copy, lsn).run())
              .isInstanceOfSatisfying(
                  CdcError.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_VALUE))
              .hasMessageStartingWith("Cannot cast a value of column 'size' of the copy from ")
              .hasMessageEndingWith(
                  " to SMALLINT: it doesn't fit. No row was written. Correct the copy, or leave"
                      + " the column out");
        }
        Dataset<Row> nested = lake.frame("VALUES (1, 'one', array(1)) AS c(id, name, size)");
        lake.assertRefused(
            () -> lake.seed(nested, lsn).run(),
            "Cannot cast column 'size' of the copy from ARRAY<INT> to SMALLINT");
        Dataset<Row> date = lake.frame("VALUES (1, 'one', DATE'2026-01-01') AS c(id, name, size)");
        lake.assertRefused(
            () -> lake.seed(date, lsn).run(),
            "Cannot cast column 'size' of the copy from DATE to SMALLINT");
      } finally {
        SeedFixture.spark().conf().unset("spark.sql.ansi.enabled");
      }
    }
    lake.assertNothingWritten();
    assertThat(
            lake.stream()
                .seed(
                    lake.path("text"), lake.frame("VALUES ('1', 5, '7') AS c(id, name, size)"), lsn)
                .run()
                .lsn())
        .isEqualTo(lsn);
    assertThat(lake.read("text").select("id", "name", "size").head()).hasToString("[1,5,7]");
  }

  @Test
  void ofColumnsThatDifferInCaseTheExactOneIsMeant() {
    Lsn lsn = lake.maxLsn();
    Dataset<Row> exact =
        lake.frame("VALUES (1, 'one', 'ONE', 1) AS c(id, name, x, size)")
            .toDF("id", "name", "NAME", "size");
    Dataset<Row> unclear =
        lake.frame("VALUES (1, 'one', 'ONE', 1) AS c(id, name, x, size)")
            .toDF("id", "Name", "NAME", "size");
    Dataset<Row> twice =
        lake.frame("VALUES (1, 'one', 'ONE', 1) AS c(id, name, x, size)")
            .toDF("id", "name", "name", "size");

    for (Dataset<Row> copy : List.of(unclear, twice)) {
      lake.assertRefused(
          () -> lake.seed(copy, lsn).run(),
          "The copy has several columns for column 'name' of the");
    }
    lake.assertNothingWritten();
    lake.seed(exact, lsn).run();
    assertThat(lake.sql("SELECT name FROM $bronze")).containsExactly("one");
  }

  @Test
  void aComputedColumnIsNullWhateverTheCopySays() throws Exception {
    lake =
        SeedFixture.create(
            database, folder, "id int NOT NULL PRIMARY KEY, a int NULL, twice AS (a * 2)");
    lake.change("INSERT INTO $t (id, a) VALUES (1, 5)");
    Lsn lsn = lake.maxLsn();

    lake.stream("columns", "id INT, a INT, twice INT")
        .seed(lake.path("bronze"), lake.frame("VALUES (1, 5, 10) AS c(id, a, twice)"), lsn)
        .run();
    lake.stream("columns", "id INT, a INT, twice INT")
        .seed(lake.path("without"), lake.frame("VALUES (1, 5) AS c(id, a)"), lsn)
        .run();

    assertThat(lake.sql("SELECT id, a, twice FROM $bronze")).containsExactly("1|5|null");
    assertThat(lake.read("without").select("twice").head()).hasToString("[null]");
  }
}
