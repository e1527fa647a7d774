package io.github.mssqlcdc.silver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.bronze.Position;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.testkit.delta.LogCleanup;
import io.github.mssqlcdc.testkit.spark.DiskMoment;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Silver and bronze tables that somebody else has had a hand in. */
@Tag("spark")
final class SilverPlaceTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void silverThatWasRestoredOrReplacedIsBuiltAnewByItsOldKeys() {
    FedLake lake = FedLake.of(folder, "id INT, body STRING", "id");
    lake.batch(1, "2, 1, NULL, 1, 'one'");
    lake.apply();
    long version = lake.silver().version();
    lake.batch(2, "2, 2, NULL, 2, 'two'");
    lake.apply();
    lake.sql("RESTORE TABLE $silver TO VERSION AS OF " + version);
    assertThat(ApplyChanges.keysOf(lake.silver())).contains(List.of("id"));
    assertThat(ApplyChanges.appliedTo(lake.silver())).isEmpty();
    lake.batch(3, "2, 3, NULL, 3, 'three'");
    assertThat(lake.apply().how()).isEqualTo(Applied.How.REBUILT);
    assertThat(lake.rows()).containsExactly("1|one", "2|two", "3|three");

    lake.sql("CREATE OR REPLACE TABLE $silver USING delta AS SELECT * FROM $silver WHERE id = 1");
    assertThat(lake.apply().how()).isEqualTo(Applied.How.REBUILT);
    assertThat(lake.rows()).containsExactly("1|one", "2|two", "3|three");
    assertThat(lake.apply().how()).isEqualTo(Applied.How.ADVANCED);
  }

  @Test
  void theBronzeOfAnotherTableIsRefusedAndThatOfTheSameTableTakesOver() throws Exception {
    FedLake orders = FedLake.of(folder, "id INT, body STRING", "id");
    orders.batch(1, "2, 1, NULL, 1, 'one'", "2, 1, NULL, 2, 'two'");
    orders.apply();
    long version = orders.silver().version();
    FedLake.drop(orders.bronze());
    FedLake others = new FedLake(folder, "dbo_others", orders.columns(), orders.keys());
    others.batch(1, "2, 1, NULL, 1, 'other'");
    assertThatThrownBy(others::apply)
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("has no row of capture instance 'dbo_t'")
        .hasMessageContaining("Give each table a silver of its own");
    assertThat(orders.silver().version()).isEqualTo(version);

    FedLake.drop(orders.bronze());
    orders.snapshot(9, "0, 9, NULL, 1, 'made anew'");
    assertThat(orders.apply().how()).isEqualTo(Applied.How.REBUILT);
    assertThat(orders.rows()).containsExactly("1|made anew");
  }

  @Test
  void silverIsNotBuiltAnewFromABronzeThatHasLostWhatItRestsOn() throws Exception {
    FedLake lake = FedLake.of(folder, "id INT, body STRING", "id");
    lake.snapshot(1, "0, 1, NULL, 1, 'one'", "0, 1, NULL, 2, 'two'");
    lake.apply();
    lake.batch(5, "4, 5, NULL, 1, 'new'");
    LogCleanup.of(lake.bronze());
    assertThat(lake.apply().how()).isEqualTo(Applied.How.REBUILT);
    assertThat(lake.rows()).containsExactly("1|new", "2|two");

    lake.batch(6, "4, 6, NULL, 1, 'newer'");
    lake.sql("DELETE FROM $bronze WHERE _operation = 0");
    LogCleanup.of(lake.bronze());
    assertThatThrownBy(lake::apply)
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("no longer has the image that the row {\"id\":2} shows")
        .hasMessageContaining("Take a new snapshot with snapshot(…).resnapshot(true)");
    assertThat(lake.rows()).containsExactly("1|new", "2|two");

    lake.snapshot(7, "0, 7, NULL, 1, 'newer'");
    LogCleanup.of(lake.bronze());
    assertThat(lake.apply().how()).isEqualTo(Applied.How.REBUILT);
    assertThat(lake.rows()).containsExactly("1|newer");
  }

  @Test
  void aSnapshotThatWasGivenUpHidesNoneThatCameBeforeIt() {
    FedLake lake = FedLake.of(folder, "id INT, body STRING", "id");
    lake.snapshot(1, "0, 1, NULL, 1, 'one'", "0, 1, NULL, 2, 'gone in the meantime'");
    lake.apply();
    lake.snapshot(5, "0, 5, NULL, 1, 'five'");
    lake.snapshot(9, "0, 9, NULL, 1, 'nine'");
    Position givenUp = SilverHistory.position(0, 9);
    assertThat(lake.apply(position -> !position.equals(givenUp)).position().snapshot())
        .isEqualTo(SilverHistory.position(0, 5).lsn());
    assertThat(lake.rows()).containsExactly("1|nine");
  }

  /** The other call comes between this one's look at silver and its write. */
  @Test
  void ofTwoCallsAtOnceEachLeavesEachRowOnce() {
    FedLake lake = FedLake.of(folder, "id INT, body STRING", "id");
    lake.batch(1, "2, 1, NULL, 1, 'one'");
    alongside(lake);
    assertThat(lake.rows()).containsExactly("1|one");
    lake.batch(2, "2, 2, NULL, 2, 'two'", "4, 2, NULL, 1, 'new'");
    alongside(lake);
    assertThat(lake.rows()).containsExactly("1|new", "2|two");
    lake.snapshot(3, "0, 3, NULL, 2, 'two'");
    alongside(lake);
    assertThat(lake.rows()).containsExactly("2|two");
    assertThat(lake.apply().how()).isEqualTo(Applied.How.ADVANCED);
  }

  private static void alongside(FedLake lake) {
    Path rows = Path.of(lake.bronze().ref().text(), "part");
    try (DiskMoment moment = DiskMoment.beforeReading(rows, lake::apply)) {
      Applied unused = lake.apply();
      assertThat(moment.hasCome()).isTrue();
    }
  }

  @Test
  void silverMayBePartitionedHaveAChangeFeedAndColumnsOfItsOwn() {
    FedLake lake = FedLake.of(folder, "id INT, region INT, body STRING", "id");
    lake.sql(
        "CREATE TABLE $silver (id INT, region INT, body STRING, _start_lsn STRING, _commit_ts"
            + " TIMESTAMP_NTZ, _history INT, _unknown_columns ARRAY<STRING>, mine STRING) USING"
            + " delta PARTITIONED BY (region) TBLPROPERTIES ('delta.enableChangeDataFeed' ="
            + " 'true', 'delta.columnMapping.mode' = 'name')");
    lake.batch(1, "2, 1, NULL, 1, 1, 'one'", "2, 1, NULL, 2, 1, 'two'");
    lake.apply();
    lake.sql("UPDATE $silver SET mine = 'm'");
    lake.batch(2, "4, 2, NULL, 1, 2, 'new'", "2, 2, NULL, 3, 3, 'three'");
    lake.apply();
    assertThat(lake.rows()).containsExactly("1|2|new", "2|1|two", "3|3|three");
    assertThat(lake.silver().read().where("mine = 'm'").count()).isEqualTo(2);
  }

  @Test
  void aColumnThatIsWidenedTakesTheStatementOfTheErrorAndGoesOn() {
    FedLake lake = FedLake.of(folder, "id INT, n INT", "id");
    lake.batch(1, "2, 1, NULL, 1, 1", "2, 1, NULL, 2, 2");
    lake.apply();
    lake.sql("ALTER TABLE $bronze SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')");
    lake.sql("ALTER TABLE $bronze ALTER COLUMN n TYPE BIGINT");
    lake.sql("ALTER TABLE $bronze ALTER COLUMN id TYPE BIGINT");
    FedLake wide = FedLake.of(folder, "id BIGINT, n BIGINT", "id");
    wide.batch(2, "4, 2, NULL, 1, 5000000000", "2, 2, NULL, 6000000000, 3");
    String statement = " SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')";
    assertThatThrownBy(wide::apply).hasMessageContaining(statement);
    lake.sql("ALTER TABLE $silver" + statement);
    wide.apply();
    assertThat(wide.rows()).containsExactly("1|5000000000", "2|2", "6000000000|3");
  }
}
