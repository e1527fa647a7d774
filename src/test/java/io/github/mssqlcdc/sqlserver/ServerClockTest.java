package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.icu.util.TimeZone;
import io.github.mssqlcdc.lsn.Lsn;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerClockTest {
  private static final ServerClock NEW_YORK = new ServerClock(ZoneId.of("America/New_York"));

  @ParameterizedTest
  @CsvSource({
    "2025-11-02T00:59:59.997, 2025-11-02T04:59:59.997",
    "2025-11-02T01:00:00, 2025-11-02T05:00:00",
    "2025-11-02T01:59:59.997, 2025-11-02T05:59:59.997",
    "2025-11-02T02:00:00, 2025-11-02T06:00:00",
    "2025-11-02T02:00:00.003, 2025-11-02T07:00:00.003",
    "2026-03-08T01:59:59.997, 2026-03-08T06:59:59.997",
    "2026-03-08T02:30:00, 2026-03-08T07:30:00",
    "2026-03-08T03:00:00, 2026-03-08T07:00:00"
  })
  void withoutAStepTheEarlierInstantAndOutOfAGapForward(LocalDateTime local, LocalDateTime utc) {
    assertThat(NEW_YORK.toUtc(local)).isEqualTo(utc);
    assertThat(NEW_YORK.toUtc(new MapEntry(Lsn.ZERO, local))).isEqualTo(utc);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-01T05:45:00, 2026-11-01T00:45:00",
    "2026-11-01T06:30:00, 2026-11-01T01:30:00",
    "2026-11-01T04:59:59, 2026-11-01T00:59:59",
    "2026-11-01T07:00:00.9, 2026-11-01T02:00:00",
    "2026-03-08T06:30:00, 2026-03-08T01:30:00",
    "2026-03-08T07:30:00, 2026-03-08T03:30:00",
    "2026-07-01T12:00:00.999, 2026-07-01T08:00:00"
  })
  void aTimeToStartFromIsTheEarlierOfItsOwnAndTheNextHoursLessAnHour(
      LocalDateTime utc, LocalDateTime local) {
    assertThat(NEW_YORK.earliestLocal(utc)).isEqualTo(local);
  }

  @Test
  void onlyHoursThatRepeatAndAreTouchedCount() {
    LocalDateTime night = LocalDateTime.of(2025, 11, 2, 0, 0);

    assertThat(NEW_YORK.overlapsIn(night, night.plusMinutes(59))).isEmpty();
    assertThat(NEW_YORK.overlapsIn(night, night.plusHours(1))).hasSize(1);
    assertThat(NEW_YORK.overlapsIn(night.plusHours(2), night.plusHours(9))).hasSize(1);
    assertThat(NEW_YORK.overlapsIn(night.plusHours(2).plusNanos(1), night.plusHours(9))).isEmpty();
    assertThat(NEW_YORK.overlapsIn(night.minusYears(2), night.plusMonths(2))).hasSize(3);
    assertThat(NEW_YORK.overlapsIn(night.minusYears(200), night.plusYears(2000)))
        .hasSizeBetween(5, 16);
    assertThat(new ServerClock(ZoneOffset.ofHours(-3)).overlapsIn(night, night.plusYears(1)))
        .isEmpty();
  }

  @Test
  void everyWindowsZoneThatIcuKnowsIsFound() {
    Set<String> windows =
        Arrays.stream(TimeZone.getAvailableIDs())
            .map(TimeZone::getWindowsID)
            .filter(Objects::nonNull)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(windows).hasSizeGreaterThan(130);
    assertThat(windows).allSatisfy(name -> assertThat(TimeZones.find(name)).isPresent());
    assertThat(TimeZones.find("W. Europe Standard Time")).contains(ZoneId.of("Europe/Berlin"));
    assertThat(TimeZones.find("UTC-11").orElseThrow().getRules().getOffset(LocalDateTime.MIN))
        .isEqualTo(ZoneOffset.ofHours(-11));
  }

  @ParameterizedTest
  @CsvSource({
    "Europe/Berlin, Europe/Berlin",
    "europe/berlin, Europe/Berlin",
    "eastern standard time, America/New_York",
    "' Eastern Standard Time ', America/New_York",
    "UTC, Etc/GMT",
    "EST, -05:00",
    "hst, -10:00",
    "MST, -07:00",
    "ROC, Asia/Taipei",
    "MST7MDT, MST7MDT",
    "Z, Z",
    "+02:00, +02:00",
    "UTC-03:00, UTC-03:00"
  })
  void namesOfBothKindsAndOffsetsAreFoundInAnyCase(String name, String zone) {
    assertThat(TimeZones.find(name).map(found -> found.normalized().getRules()))
        .contains(ZoneId.of(zone).normalized().getRules());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Mars",
        "",
        "PST",
        "IST",
        "Kamchatka Standard Time",
        "Mid-Atlantic Standard Time",
        "UTC+25:00",
        "Europe",
        "'; DROP TABLE t --"
      })
  void anythingElseIsUnknown(String name) {
    assertThat(TimeZones.find(name)).isEmpty();
  }
}
