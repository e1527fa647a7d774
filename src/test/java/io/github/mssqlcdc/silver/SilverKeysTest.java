package io.github.mssqlcdc.silver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.InvalidRequestException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys of every type, and columns with names that silver's own making might have taken. */
@Tag("spark")
final class SilverKeysTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void keysThatDifferInAMicrosecondAreTwoAlsoWhereARowMovesToAnotherKey() {
    FedLake lake = FedLake.of(folder, "at TIMESTAMP_NTZ, body STRING", "at");
    lake.batch(
        1,
        "2, 1, NULL, '2026-01-01 00:00:00.000001', 'one'",
        "2, 1, NULL, '2026-01-01 00:00:00.000002', 'two'");
    lake.apply();
    lake.batch(
        2,
        "3, 2, array('body'), '2026-01-01 00:00:00.000001', NULL",
        "4, 2, array('body'), '2026-01-01 00:00:00.000003', NULL");
    lake.apply();
    assertThat(lake.rows())
        .containsExactly("2026-01-01 00:00:00.000002|two", "2026-01-01 00:00:00.000003|one");
  }

  /** Java's old dates have no 5 to 14 October 1582. */
  @Test
  void daysAndTimesThatAnotherCalendarLeavesOutAreKeysLikeOthers() {
    FedLake dates = FedLake.of(folder.resolve("dates"), "d DATE, body STRING", "d");
    dates.batch(1, "2, 1, NULL, DATE'1582-10-10', 'old'", "2, 1, NULL, DATE'0001-01-01', 'old'");
    dates.apply();
    dates.batch(2, "4, 2, NULL, DATE'1582-10-10', 'new'");
    dates.apply();
    dates.batch(3, "4, 3, NULL, DATE'0001-01-01', 'new'");
    dates.apply();
    assertThat(dates.rows()).containsExactly("0001-01-01|new", "1582-10-10|new");

    FedLake times = FedLake.of(folder.resolve("times"), "at TIMESTAMP, body STRING", "at");
    times.batch(
        1,
        "2, 1, NULL, TIMESTAMP'1582-10-10 00:00:00Z', 'old'",
        "2, 1, NULL, TIMESTAMP'2026-11-01 05:30:00Z', 'first'",
        "2, 1, NULL, TIMESTAMP'2026-11-01 06:30:00Z', 'second'");
    times.apply();
    times.batch(2, "4, 2, NULL, TIMESTAMP'1582-10-10 00:00:00Z', 'new'");
    times.apply();
    times.batch(3, "4, 3, NULL, TIMESTAMP'2026-11-01 06:30:00Z', 'of the hour that repeats'");
    times.apply();
    assertThat(times.rows())
        .extracting(row -> row.substring(row.indexOf('|') + 1))
        .containsExactlyInAnyOrder("new", "first", "of the hour that repeats");
  }

  @Test
  void bytesBitsAndNumbersWithASignOfTheirOwnAreKeys() {
    FedLake lake = FedLake.of(folder, "d DOUBLE, b BOOLEAN, x BINARY, body STRING", "d", "b", "x");
    lake.batch(
        1,
        "2, 1, NULL, 0.0D, true, X'FF', 'old'",
        "2, 1, NULL, 1.5D, NULL, X'00', 'old'",
        "2, 1, NULL, 1.5D, false, NULL, 'old'");
    lake.apply();
    lake.batch(2, "4, 2, NULL, -0.0D, true, X'FF', 'new'", "1, 2, NULL, 1.5D, NULL, X'00', 'old'");
    lake.apply();
    assertThat(lake.rows())
        .extracting(row -> row.substring(row.lastIndexOf('|') + 1))
        .containsExactlyInAnyOrder("new", "old");
  }

  @Test
  void aKeyThatSomeImageDoesNotCarryIsRefused() throws Exception {
    FedLake lake = FedLake.of(folder, "title STRING, n INT", "title");
    lake.batch(1, "2, 1, NULL, 'a', 1", "2, 1, NULL, 'b', 2");
    lake.apply();
    lake.batch(2, "3, 2, array('title'), NULL, 1", "4, 2, array('title'), NULL, 5");
    assertThatThrownBy(lake::apply)
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith("Invalid key 'title': images in '" + lake.bronze().ref() + "'")
        .hasMessageContaining("Name columns that every image carries with .keys(…)");
    assertThat(lake.rows()).containsExactly("a|1", "b|2");
    FedLake.drop(lake.silver());
    assertThatThrownBy(lake::apply).hasMessageStartingWith("Invalid key 'title'");
  }

  @Test
  void columnsMayHaveAnyNameThatIsNotReserved() {
    FedLake lake =
        FedLake.of(
            folder,
            "id INT, _deleted BOOLEAN, _Fresh STRING, _carried INT, _removes STRING, _place STRING,"
                + " _latest INT, _removed STRING, _known_0 STRING, _key STRING, _from_key STRING,"
                + " _to_key STRING, place STRING, value STRING, t INT, s INT, body STRING",
            "id");
    String values = "true, 'f', 7, 'r', 'p', 3, 'x', 'k', 'key', 'from', 'to', 'pl', 'va', 1, 2, ";
    lake.batch(1, "2, 1, NULL, 1, " + values + "'b'", "2, 1, NULL, 2, " + values + "'c'");
    lake.apply();
    lake.batch(
        2,
        "3, 2, array('body'), 1, " + values + "NULL",
        "4, 2, array('body'), 9, " + values + "NULL");
    lake.apply();
    assertThat(lake.rows())
        .containsExactly(
            "2|true|f|7|r|p|3|x|k|key|from|to|pl|va|1|2|c",
            "9|true|f|7|r|p|3|x|k|key|from|to|pl|va|1|2|b");
  }

  @Test
  void aValueIsUnknownHoweverItsColumnIsSpeltThere() {
    FedLake lake = FedLake.of(folder, "id INT, n INT, body STRING", "id");
    lake.batch(1, "2, 1, NULL, 1, 1, 'b'");
    lake.apply();
    lake.batch(2, "3, 2, array('BODY'), 1, 1, NULL", "4, 2, array('BODY'), 1, 2, NULL");
    lake.apply();
    assertThat(lake.rows()).containsExactly("1|2|b");
  }
}
