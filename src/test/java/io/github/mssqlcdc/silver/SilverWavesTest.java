package io.github.mssqlcdc.silver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.silver.OpenSnapshot.State;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which rows go and come with which wave of a re-snapshot, and columns that come later. */
@Tag("spark")
final class SilverWavesTest {
  private static final OpenSnapshot OPEN =
      new OpenSnapshot(SilverHistory.position(0, 20), List.of("grp"), State.OPEN);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private static List<Row> snapshot(int stamp, int snapshot, @Nullable Integer... groups) {
    List<Row> rows = new ArrayList<>();
    for (Integer group : groups) {
      rows.add(image(stamp, 0, SilverHistory.lsn(snapshot), group, "s" + stamp));
    }
    return rows;
  }

  private static Row image(
      int lsn, int operation, @Nullable String snapshot, @Nullable Integer group, String body) {
    return RowFactory.create(
        0,
        SilverHistory.lsn(lsn),
        operation == 0 ? null : (Integer) 1,
        operation == 0 ? null : SilverHistory.lsn(lsn),
        operation,
        SilverHistory.time(lsn),
        null,
        snapshot,
        snapshot == null ? null : (Integer) 0,
        group,
        0,
        lsn,
        body);
  }

  private static List<String> rows(SilverHistory lake) {
    return lake
        .silver()
        .read()
        .selectExpr("concat_ws(':', coalesce(CAST(grp AS STRING), 'none'), body)")
        .collectAsList()
        .stream()
        .map(row -> row.getString(0))
        .sorted()
        .toList();
  }

  @Test
  void eachWaveTakesWhatItsRangeNoLongerHasAndTheEndTakesTheRest() {
    SilverHistory lake = new SilverHistory(folder);
    lake.whole(snapshot(10, 10, 1, 2, 3, 4, 5, 6, null), 0, 10);
    assertThat(lake.apply(null).how()).isEqualTo(Applied.How.REBUILT);

    lake.batch(
        List.of(
            image(25, 2, null, 3, "again"),
            image(26, 1, null, 1, "gone"),
            image(27, 4, null, 6, "new")),
        0,
        27);
    assertThat(lake.apply(OPEN).isOpen()).isTrue();
    assertThat(rows(lake))
        .containsExactly("2:s10", "3:again", "4:s10", "5:s10", "6:new", "none:s10");

    lake.wave(snapshot(21, 20, 1), 0, 20, 21, 21, List.of("null", "4"));
    lake.apply(OPEN);
    assertThat(rows(lake))
        .as("2 goes, 3 was put there again, 1 was deleted since, no range has NULL")
        .containsExactly("3:again", "4:s10", "5:s10", "6:new", "none:s10");

    lake.wave(snapshot(28, 20, 5), 0, 20, 28, 28, List.of("4", "null"));
    lake.apply(OPEN);
    assertThat(rows(lake)).containsExactly("3:again", "5:s28", "none:s10");

    OpenSnapshot complete = new OpenSnapshot(OPEN.position(), OPEN.keys(), State.COMPLETE);
    assertThat(lake.apply(complete).how()).isEqualTo(Applied.How.REBUILT);
    assertThat(rows(lake)).containsExactly("3:again", "5:s28");
  }

  @Test
  void aChunkThatIsTheWholeTableTakesAllThatItLacks() {
    SilverHistory lake = new SilverHistory(folder);
    lake.whole(snapshot(10, 10, 1, 2, null), 0, 10);
    lake.apply(null);
    lake.wave(snapshot(21, 20, 2), 0, 20, 21, 21, List.of("null", "null"));
    Applied applied = lake.apply(OPEN);
    assertThat(rows(lake)).containsExactly("2:s21");
    assertThat(applied.isOpen()).isTrue();
  }

  @Test
  void rowsOfASnapshotThatDontNameItAreOneAtTheirOwnPosition() {
    SilverHistory lake = new SilverHistory(folder);
    lake.whole(List.of(image(5, 0, null, 1, "older"), image(5, 0, null, 9, "older")), 0, 5);
    lake.batch(List.of(image(7, 4, null, 1, "between"), image(8, 2, null, 8, "between")), 0, 8);
    lake.whole(List.of(image(10, 0, null, 1, "newer"), image(10, 0, null, 2, "newer")), 0, 10);
    lake.batch(List.of(image(11, 4, null, 2, "change")), 0, 11);
    assertThat(lake.apply(null).position().snapshot())
        .isEqualTo(SilverHistory.position(0, 10).lsn());
    assertThat(rows(lake)).containsExactly("1:newer", "2:change");
  }

  @Test
  void aNullInTheKeyIsAValueAndAColumnThatBronzeGetsComesToSilver() {
    SilverHistory lake = new SilverHistory(folder);
    lake.batch(List.of(image(1, 2, null, null, "one"), image(1, 2, null, 1, "two")), 0, 1);
    lake.apply(null);
    TestSession.get()
        .createDataFrame(List.of(image(2, 4, null, null, "three")), SilverHistory.BRONZE)
        .selectExpr("*", "'dbo_t' AS _capture_instance", "7.5D AS more")
        .write()
        .format("delta")
        .mode("append")
        .option("mergeSchema", "true")
        .save(lake.bronze().ref().text());
    assertThat(lake.apply(null).how()).isEqualTo(Applied.How.ADVANCED);
    assertThat(
            lake
                .silver()
                .read()
                .selectExpr("concat_ws('|', coalesce(grp, 0), body, more)")
                .collectAsList()
                .stream()
                .map(row -> row.getString(0))
                .sorted())
        .containsExactly("0|three|7.5", "1|two");
  }
}
