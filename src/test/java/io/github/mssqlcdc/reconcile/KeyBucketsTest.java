package io.github.mssqlcdc.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.sqlserver.KeyEnds;
import io.github.mssqlcdc.type.SqlType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class KeyBucketsTest {
  private static final KeyColumn DAY = column("date");

  private static KeyColumn column(String type) {
    return new KeyColumn("k", new SqlType(type, 0, 0, 0), null);
  }

  private static KeyBuckets buckets(String type, long width, String min, String max) {
    return KeyBuckets.of(
        List.of(column(type)), width, () -> new KeyEnds(KeyBound.of(min), KeyBound.of(max)));
  }

  private static String bounds(KeyBuckets buckets, @Nullable Long bucket) {
    var bounds = buckets.bounds(4, bucket);
    return bounds.chunk() + " " + bounds.lo() + " " + bounds.hi();
  }

  @Test
  void aBucketSpansItsWidthAlsoBelowZero() {
    KeyBuckets buckets = buckets("int", 10, "-25", "99");
    assertThat(bounds(buckets, 0L)).isEqualTo("4 0 10");
    assertThat(bounds(buckets, -3L)).isEqualTo("4 -30 -20");
  }

  @Test
  void keysThatAreNullHaveABucketOfTheirOwn() {
    assertThat(bounds(buckets("int", 10, "0", "1"), null)).isEqualTo("4 null -2147483648");
    assertThat(bounds(KeyBuckets.of(List.of(DAY), 10, () -> new KeyEnds(null, null)), null))
        .isEqualTo("4 null \"0001-01-01\"");
  }

  @Test
  void theEndsOfATypeCloseTheFirstBucketAndLeaveTheLastOpen() {
    assertThat(bounds(buckets("int", 10, "0", "1"), 214_748_364L)).isEqualTo("4 2147483640 null");
    assertThat(bounds(buckets("int", 10, "0", "1"), -214_748_365L))
        .isEqualTo("4 -2147483648 -2147483640");
    assertThat(bounds(buckets("tinyint", 100, "0", "1"), 2L)).isEqualTo("4 200 null");
    assertThat(bounds(buckets("bigint", 10, "0", "1"), Long.MAX_VALUE / 10))
        .isEqualTo("4 9223372036854775800 null");
  }

  @Test
  void datesCountFrom1970AndStayInTheCalendar() {
    KeyBuckets days = KeyBuckets.of(List.of(DAY), 10, () -> new KeyEnds(null, null));
    assertThat(bounds(days, 0L)).isEqualTo("4 \"1970-01-01\" \"1970-01-11\"");
    assertThat(bounds(days, -1L)).isEqualTo("4 \"1969-12-22\" \"1970-01-01\"");
    // 9999-12-31 is day 2932896, 0001-01-01 is day -719162
    assertThat(bounds(days, 293_289L)).isEqualTo("4 \"9999-12-25\" null");
    assertThat(bounds(days, -71_917L)).isEqualTo("4 \"0001-01-01\" \"0001-01-03\"");
  }

  private static long width(String min, String max) {
    return Objects.requireNonNull(buckets("bigint", 1_000_000, min, max).grid()).width();
  }

  @Test
  void valuesFarApartMakeBucketsWiderInsteadOfMore() {
    assertThat(width("1", "3000000000")).isEqualTo(1_000_000);
    // 2^63 values in at most 100,000 buckets
    long width = width("0", "9223372036854775807");
    assertThat(width)
        .isGreaterThanOrEqualTo(Long.MAX_VALUE / 100_000)
        .isLessThan(93_000_000_000_000L);
    assertThat(width % 1_000_000).isZero();
  }

  @Test
  void aKeyThatCannotBeCountedIsOneBucket() {
    assertThat(
            KeyBuckets.of(List.of(column("bigint"), DAY), 10, () -> new KeyEnds(null, null)).grid())
        .isNull();
    assertThat(
            KeyBuckets.of(List.of(column("uniqueidentifier")), 10, () -> new KeyEnds(null, null))
                .grid())
        .isNull();
  }
}
