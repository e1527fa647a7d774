package io.github.mssqlcdc.source.stream;

import static io.github.mssqlcdc.testkit.source.FakeSqlServer.lsn;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.Start;
import io.github.mssqlcdc.testkit.source.FakeSqlServer;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class InitialOffsetTest {
  private final FakeSqlServer server = new FakeSqlServer();
  private final MemoryStartLog log = new MemoryStartLog();

  @Test
  void earliestIsJustBeforeTheOldestChange() {
    server.insert(1);

    assertThat(initial(new Start.Earliest()).find()).isEqualTo(Offset.of(lsn(10).previous()));
  }

  @Test
  void latestIsTheNewestCommitWithItsTimes() {
    server.insert(1);
    server.insert(2);

    assertThat(initial(new Start.Latest()).find())
        .isEqualTo(
            new Offset(
                lsn(11),
                FakeSqlServer.EPOCH.plusMinutes(2).plusHours(3),
                FakeSqlServer.EPOCH.plusMinutes(2)));
  }

  @Test
  void aFirstBatchThatWasPlannedKeepsItsStart() {
    server.insert(1);
    Offset begin = initial(new Start.Latest()).find();
    server.insert(2);
    Offset later = initial(new Start.Latest()).find();
    assertThat(later.lsn()).as("no batch was planned yet").isEqualTo(lsn(11));

    log.plan();
    server.insert(3);
    assertThat(initial(new Start.Latest()).find()).isEqualTo(later).isNotEqualTo(begin);
    assertThat(initial(new Start.Earliest()).find()).isEqualTo(later);
  }

  @Test
  void latestIsJustBeforeTheFirstLsnWhereNothingWasCaptured() {
    assertThat(initial(new Start.Latest()).find()).isEqualTo(Offset.of(lsn(10).previous()));
  }

  @Test
  void afterIsTakenAsGiven() {
    Offset given = new Offset(lsn(11), FakeSqlServer.EPOCH, FakeSqlServer.EPOCH);

    assertThat(initial(new Start.After(given)).find()).isEqualTo(given);
    assertThat(server.calls()).isEmpty();
  }

  @Test
  void aTimeIsResolvedOnceToTheLsnBeforeItsFirstCommit() {
    server.insert(1);
    server.insert(2);
    server.insert(3);
    LocalDateTime second = FakeSqlServer.EPOCH.plusMinutes(2).plusHours(3);
    InitialOffset initial = initial(new Start.From(second.toInstant(ZoneOffset.UTC)));

    assertThat(initial.find()).isEqualTo(Offset.of(lsn(11).previous()));
    server.setTime(lsn(10), FakeSqlServer.EPOCH.plusDays(1));
    assertThat(initial.find()).isEqualTo(Offset.of(lsn(11).previous()));
    assertThat(server.calls()).containsExactly("startAt");
  }

  @Test
  void aTimeAfterTheNewestCommitIsThatCommitWithItsTimes() {
    server.insert(1);
    Instant later = FakeSqlServer.EPOCH.plusDays(1).toInstant(ZoneOffset.UTC);

    assertThat(initial(new Start.From(later)).find())
        .isEqualTo(
            new Offset(
                lsn(10),
                FakeSqlServer.EPOCH.plusMinutes(1).plusHours(3),
                FakeSqlServer.EPOCH.plusMinutes(1)));
  }

  @Test
  void staysAsFoundFirst() {
    server.insert(1);
    InitialOffset initial = initial(new Start.Earliest());
    Offset first = initial.find();
    server.insert(2);
    server.purge(lsn(11));

    assertThat(initial.find()).isEqualTo(first);
  }

  private InitialOffset initial(Start start) {
    return new InitialOffset(
        server, Fixtures.source(server, RetentionGuard.OnLoss.FAIL).instance(), start, log);
  }
}
