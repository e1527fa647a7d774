package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.testkit.source.FallBacks;
import io.github.mssqlcdc.testkit.source.ServerHistory;
import io.github.mssqlcdc.testkit.source.ServerHistory.Entry;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the server finds in its LSN map about hours that repeat; the map is written by hand. */
class FallBackContractTest {
  private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");
  private static final LocalDateTime NIGHT = LocalDateTime.of(2025, 11, 2, 0, 0);

  private final ClientFixture fixture = new ClientFixture();
  private final CaptureInstance orders = fixture.orders();
  private final NavigableMap<Lsn, LocalDateTime> map = new TreeMap<>();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void commitsAfterTheStepGetTheLaterOffset() {
    map("01:57:00", "01:02:00", "01:30:00.003", "01:30:00", "02:10:00");

    assertThat(utc(0, 5)).containsExactly("05:57", "06:02", "06:30:00.003", "06:30", "07:10");
    assertThat(latest(0, 5)).isEqualTo("07:10");
    assertThat(latest(0, 4)).isEqualTo("06:30:00.003");
    assertThat(latest(0, 1)).isEqualTo("05:57");
  }

  @Test
  void theStepIsFoundWhereItLiesBeforeTheRange() {
    map("01:57:00", "01:02:00", "01:20:00", "01:40:00", "01:59:30", "02:00:00");

    assertThat(utc(3, 6)).containsExactly("06:40", "06:59:30", "07:00");
    MapEntry single = entry(4);
    assertThat(client().commitTs(single)).isEqualTo(NIGHT.plusHours(6).plusMinutes(40));
  }

  @Test
  void momentsAndSetClocksAreNoStep() {
    map("01:10:00.003", "01:10:00", "01:59:59", "02:30:00", "02:20:00", "04:00:00", "03:00:00");

    assertThat(utc(0, 7))
        .containsExactly("05:10:00.003", "05:10", "05:59:59", "07:30", "07:20", "09:00", "08:00");
  }

  @Test
  void justAfterTheStepTheEndOfTheHourIsStillTheFirstPass() {
    map("01:59:59.997", "01:00:00", "01:59:59.993", "02:00:00", "01:00:00.003", "01:05:00");

    assertThat(utc(0, 6))
        .containsExactly("05:59:59.997", "06:00", "05:59:59.993", "06:00", "06:00:00.003", "06:05");
    assertThat(latest(0, 4)).isEqualTo("06:00");
  }

  @Test
  void noStepIsLookedForOutsideOfTheHour() {
    map("00:30:00", "00:59:59", "01:00:00", "02:00:00.003");
    SqlServer client = client();

    assertThat(end(client.head(orders, lsn(0), through(2))).clock().fallBacks()).isEmpty();
    assertThat(end(client.head(orders, lsn(2), through(4))).clock().fallBacks()).isEmpty();
    map("01:59:00", "01:00:00", "02:00:00.003");
    assertThat(end(client.head(orders, lsn(0), through(3))).clock().fallBacks())
        .extracting(FallBack::step)
        .containsExactly(lsn(2));
  }

  @Test
  void anyMapCutAnywhereGivesWhatItsEntriesGive() {
    Random random = new Random(20251102);
    for (int i = 0; i < 25; i++) {
      ServerHistory history =
          i % 3 == 0 ? ServerHistory.busy(random) : ServerHistory.any(random, Duration.ZERO);
      map.clear();
      for (Entry entry : history.entries()) {
        map.put(entry.lsn(), entry.at());
      }
      write();
      SqlServer client =
          fixture.connect(
              fixture.database.user(),
              fixture.database.password(),
              "sourceTimeZone",
              history.zone().getId());
      List<Lsn> lsns = List.copyOf(map.keySet());
      for (int cut = 0; cut < 6; cut++) {
        int from = random.nextInt(lsns.size());
        Lsn after = lsns.get(from).previous();
        long commits = 1 + random.nextInt(lsns.size() - from);
        Head.End found = end(client.head(orders, after, new HeadLimits(null, commits, null)));
        Lsn last = lsns.get((int) (from + commits - 1));
        MapEntry end = new MapEntry(last, Objects.requireNonNull(map.get(last)));

        Head.End expected = FallBacks.end(history.zone(), map, after, end);
        assertThat(found.entry()).isEqualTo(end);
        assertThat(found.latest()).as("latest of %s", map).isEqualTo(expected.latest());
        assertThat(found.clock().zone()).isEqualTo(history.zone());
        assertThat(found.clock().fallBacks())
            .containsAll(expected.clock().fallBacks())
            .hasSizeLessThanOrEqualTo(1);
        assertThat(client.clock(after, last)).isEqualTo(found.clock());
      }
    }
  }

  private void map(String... times) {
    map.clear();
    for (String time : times) {
      map.put(lsn(map.size() + 1), LocalDateTime.parse("2025-11-02T" + time));
    }
    write();
  }

  private void write() {
    fixture.database.run(
        "DELETE FROM cdc.lsn_time_mapping",
        map.entrySet().stream()
            .map(
                entry ->
                    "("
                        + entry.getKey()
                        + ", '"
                        + entry.getValue()
                        + "', '"
                        + entry.getValue()
                        + "', 0x00)")
            .collect(
                Collectors.joining(
                    ", ",
                    "INSERT INTO cdc.lsn_time_mapping (start_lsn, tran_begin_time, tran_end_time,"
                        + " tran_id) VALUES ",
                    "")));
  }

  private SqlServer client() {
    return fixture.connect(
        fixture.database.user(), fixture.database.password(), "sourceTimeZone", NEW_YORK.getId());
  }

  /** Times of day in UTC of the entries in (after, through]. */
  private List<String> utc(int after, int through) {
    ServerClock clock = client().clock(lsn(after), lsn(through));
    return IntStream.rangeClosed(after + 1, through)
        .mapToObj(i -> clock.toUtc(entry(i)).toLocalTime().toString())
        .toList();
  }

  private String latest(int after, int through) {
    Head head = client().head(orders, lsn(after), through(through));
    return end(head).latest().toLocalTime().toString();
  }

  private static Head.End end(Head head) {
    return Objects.requireNonNull(head.end());
  }

  private MapEntry entry(int number) {
    return new MapEntry(lsn(number), Objects.requireNonNull(map.get(lsn(number))));
  }

  private static HeadLimits through(int number) {
    return new HeadLimits(lsn(number), null, null);
  }

  private static Lsn lsn(int number) {
    return new Lsn(1000 + number, 5);
  }
}
