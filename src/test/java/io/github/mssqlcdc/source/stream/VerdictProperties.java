package io.github.mssqlcdc.source.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.control.Verdict;
import io.github.mssqlcdc.finalization.Verdicts;
import io.github.mssqlcdc.options.Granularity;
import io.github.mssqlcdc.source.row.CommitTimes;
import io.github.mssqlcdc.source.stream.CommitTimeProperties.Batch;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.testkit.log.MutedLog;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Verdicts over the life of a stream, against the one rule: no change arrives in a period that is
 * final. Maps step back, hours repeat, clocks are set, batches have no rows, changes are lost.
 */
class VerdictProperties {
  @SuppressWarnings("NullAway.Init")
  private static MutedLog muted;

  @BeforeContainer
  static void keepQuiet() {
    muted = MutedLog.of(SetBackWatch.class);
  }

  @AfterContainer
  static void speakAgain() {
    muted.close();
  }

  @Property(tries = 2000)
  void noChangeArrivesInAPeriodThatIsFinal(@ForAll long seed) {
    Random random = new Random(seed);
    Granularity granularity = Granularity.values()[random.nextInt(Granularity.values().length)];
    Verdict verdict = null;
    for (Batch batch :
        CommitTimeProperties.run(seed, Duration.ofMinutes(random.nextBoolean() ? 10 : -10))) {
      boolean isLost = random.nextInt(8) == 0;
      CommitTimes times =
          new CommitTimes(batch.clock(), batch.start().commitTs(), batch.end().commitTs());
      for (var entry : batch.entries()) {
        if (isLost || !entry.hasRows()) {
          continue;
        }
        // a commit that the map doesn't have takes the time of its batch's start
        MapEntry known = random.nextInt(20) == 0 ? null : entry.mapEntry();
        LocalDateTime arrived = times.of(known);
        if (verdict != null && arrived != null) {
          assertThat(arrived).isAfterOrEqualTo(verdict.finalizedUntil());
        }
      }
      Verdict next = Verdicts.candidate(batch.end(), granularity).orElse(null);
      if (next != null && next.isBeyond(verdict)) {
        assertThat(next.finalizedUntil()).isBeforeOrEqualTo(batch.end().commitTs());
        verdict = random.nextInt(4) == 0 ? verdict : next;
      }
    }
  }
}
