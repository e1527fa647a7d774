package io.github.mssqlcdc.testkit.source;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.MapEntry;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Entries of an LSN map as a server writes them, with the instants at which they really were
 * written.
 *
 * @param entries in the order of their LSNs, which are those of {@link FakeSqlServer#lsn} from 10
 *     on
 */
public record ServerHistory(ZoneId zone, List<Entry> entries) {
  private static final Duration DAY = Duration.ofHours(24);
  private static final int FIRST_LSN = 10;

  /** Instants around which something happens to the clocks of these zones, and one without. */
  private static final List<Moment> MOMENTS =
      List.of(
          new Moment("America/New_York", "2025-11-02T06:00:00Z"),
          new Moment("America/New_York", "2026-03-08T07:00:00Z"),
          new Moment("Europe/Berlin", "2026-10-25T01:00:00Z"),
          new Moment("Australia/Lord_Howe", "2026-04-04T15:00:00Z"),
          new Moment("Australia/Lord_Howe", "2026-10-03T15:30:00Z"),
          new Moment("America/Sao_Paulo", "2026-07-01T12:00:00Z"));

  private record Moment(String zone, String instant) {}

  /**
   * @param at raw time, as the map has it
   * @param utc when it was written, really
   */
  public record Entry(Lsn lsn, LocalDateTime at, LocalDateTime utc, boolean hasRows) {
    public MapEntry mapEntry() {
      return new MapEntry(lsn, at);
    }
  }

  /**
   * Around a change of the clocks, within a second of it or with gaps of up to an hour. Well away
   * from the change somebody may set the clock.
   *
   * @param clockError what the clock is wrong by before it is set right, or after it is set wrong;
   *     negative: it is set back and stays behind; positive: it was ahead and is set right
   */
  public static ServerHistory any(Random random, Duration clockError) {
    Moment moment = MOMENTS.get(random.nextInt(MOMENTS.size()));
    Instant change = Instant.parse(moment.instant());
    Instant step = change.plus(DAY.dividedBy(8).multipliedBy(random.nextBoolean() ? 1 : -1));
    Duration before = clockError.isNegative() ? Duration.ZERO : clockError;
    Duration after = clockError.isNegative() ? clockError : Duration.ZERO;
    ZoneId zone = ZoneId.of(moment.zone());
    List<Entry> entries = new ArrayList<>();
    boolean isSet = random.nextInt(3) == 0;
    int mostMillis = List.of(5, 2_000, 60_000, 600_000, 3_600_000).get(random.nextInt(5));
    int count = 20 + random.nextInt(100);
    long all = (long) count * mostMillis / 2;
    Instant now = change.minusMillis((long) (all * random.nextDouble()));
    for (int i = 0; i < count; i++) {
      now = now.plusMillis(1 + random.nextInt(mostMillis));
      Duration error = isSet ? (now.isBefore(step) ? before : after) : Duration.ZERO;
      entries.add(entry(i, zone, now, error, random));
    }
    return new ServerHistory(zone, entries);
  }

  /** An entry at least every five minutes around an hour that repeats, as idle ones make sure. */
  public static ServerHistory busy(Random random) {
    Moment moment = MOMENTS.get(random.nextBoolean() ? 0 : 2);
    ZoneId zone = ZoneId.of(moment.zone());
    List<Entry> entries = new ArrayList<>();
    Instant now = Instant.parse(moment.instant()).minusSeconds(2 * 3600 + random.nextInt(1800));
    for (int i = 0; i < 100; i++) {
      now = now.plusMillis(1000L * 60 + random.nextInt(1000 * 60 * 4));
      entries.add(entry(i, zone, now, Duration.ZERO, random));
    }
    return new ServerHistory(zone, entries);
  }

  /** Commits get their LSNs and their times in an order that differs by moments. */
  private static Entry entry(int i, ZoneId zone, Instant now, Duration error, Random random) {
    Instant written = now.minusMillis(random.nextInt(6));
    LocalDateTime at = LocalDateTime.ofInstant(written.plus(error), zone);
    return new Entry(
        FakeSqlServer.lsn(FIRST_LSN + i),
        datetime(at),
        LocalDateTime.ofInstant(written, ZoneOffset.UTC),
        random.nextInt(4) > 0);
  }

  /** As the type keeps it: in 1/300 of a second, rounded, shown in milliseconds. */
  private static LocalDateTime datetime(LocalDateTime time) {
    long ticks = Math.round(time.getNano() * 3L / 1e7);
    return time.withNano(0).plusNanos(Math.round(ticks * 10 / 3.0) * 1_000_000L);
  }
}
