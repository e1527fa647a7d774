package io.github.mssqlcdc.finalization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.Granularity;
import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class VerdictsTest {
  private static final Offset END =
      new Offset(Lsn.parse("0x0A"), LocalDateTime.parse("2026-10-01T15:10:20.123"), null);

  @ParameterizedTest
  @CsvSource({
    "MINUTE, 2026-10-01T15:10:00",
    "hour, 2026-10-01T15:00:00",
    "Day, 2026-10-01T00:00:00"
  })
  void aVerdictIsTheBeginningOfThePeriodThatThePositionLiesIn(String granularity, String until) {
    assertThat(Verdicts.candidate(END, Granularity.parse(granularity)))
        .get()
        .extracting(verdict -> verdict.finalizedUntil())
        .isEqualTo(LocalDateTime.parse(until));
  }

  @Test
  void otherGranularitiesAreRefused() {
    assertThatThrownBy(() -> Granularity.parse("hourly"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage("Invalid granularity 'hourly': minute, hour and day are allowed");
  }

  @Test
  void aPositionWithoutATimeGivesNone() {
    assertThat(Verdicts.candidate(Offset.of(END.lsn()), Granularity.DAY)).isEmpty();
  }

  @Test
  void theEndOfAProgressMayBeJsonOrATextThatHoldsIt() {
    assertThat(Verdicts.end(END.json())).contains(END);
    assertThat(Verdicts.end("\"" + END.json().replace("\"", "\\\"") + "\"")).contains(END);
    assertThat(Verdicts.end((String) null)).isEmpty();
    assertThat(Verdicts.end("null")).isEmpty();
    assertThat(Verdicts.end("{\"topic\": {\"0\": 17}}")).isEmpty();
    assertThat(Verdicts.end((org.apache.spark.sql.streaming.StreamingQueryProgress) null))
        .isEmpty();
  }
}
