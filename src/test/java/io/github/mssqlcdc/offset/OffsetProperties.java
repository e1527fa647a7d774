package io.github.mssqlcdc.offset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.lsn.LsnArbitraries;
import java.time.LocalDateTime;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class OffsetProperties {
  @Property
  void jsonLeadsBack(@ForAll("offsets") Offset offset) {
    assertThat(Offset.parse(offset.json())).isEqualTo(offset);
    assertThat(Offset.parse(offset.json()).json()).isEqualTo(offset.json());
  }

  @Property
  void equalOffsetsAreEqualText(@ForAll("offsets") Offset a, @ForAll("offsets") Offset b) {
    assertThat(a.json().equals(b.json())).isEqualTo(a.equals(b));
  }

  @Example
  void theJsonIsCanonical() {
    Offset offset =
        new Offset(
            Lsn.parse("0x2c000005f00003"),
            LocalDateTime.parse("2026-09-30T02:00:00.1234567"),
            LocalDateTime.parse("2026-09-30T04:00"));

    assertThat(offset.json())
        .isEqualTo(
            "{\"lsn\":\"0x0000002C000005F00003\",\"commit_ts\":\"2026-09-30T02:00:00.123\","
                + "\"at\":\"2026-09-30T04:00:00.000\"}");
    assertThat(Offset.of(Lsn.ZERO).json())
        .isEqualTo("{\"lsn\":\"0x00000000000000000000\",\"commit_ts\":null,\"at\":null}");
  }

  @Example
  void aMissingKeyCountsAsNullAndAnUnknownOneIsLeftAlone() {
    assertThat(Offset.parse("{\"later\":1,\"lsn\":\"0x1\"}")).isEqualTo(Offset.of(new Lsn(0, 1)));
  }

  @Example
  void otherTextIsRefused() {
    for (String text :
        List.of(
            "", "null", "{", "[]", "{\"lsn\":1}", "{\"lsn\":\"0x1\",\"commit_ts\":\"today\"}")) {
      assertThatThrownBy(() -> Offset.parse(text))
          .isInstanceOfSatisfying(
              InvalidRequestException.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_OFFSET))
          .hasMessageStartingWith("Invalid offset '" + text + "'")
          .hasMessageContaining("start with a new checkpoint and appId");
    }
  }

  @Provide
  Arbitrary<Offset> offsets() {
    return Combinators.combine(LsnArbitraries.lsns(), times(), times()).as(Offset::new);
  }

  private static Arbitrary<LocalDateTime> times() {
    LocalDateTime epoch = LocalDateTime.of(1970, 1, 1, 0, 0);
    return Arbitraries.longs()
        .between(-2_000_000_000_000L, 200_000_000_000_000L)
        .map(millis -> epoch.plusNanos(millis % 1000 * 1_234_567).plusSeconds(millis / 1000))
        .injectNull(0.3);
  }
}
