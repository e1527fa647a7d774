package io.github.mssqlcdc.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.sqlserver.BucketCount;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BucketTest {

  private static BucketCount count(@Nullable Long bucket, long rows, @Nullable Integer sum) {
    return new BucketCount(bucket, rows, sum == null ? null : BigDecimal.valueOf(sum));
  }

  private static List<Bucket> equal(int count) {
    List<BucketCount> counts = LongStream.range(0, count).mapToObj(i -> count(i, 1, 1)).toList();
    return Bucket.join(counts, counts);
  }

  @ParameterizedTest
  @CsvSource({"0.25, 10, 3", "0.01, 1, 1", "0, 10, 0", "1, 10, 10", "0.1, 10, 1", "0.5, 0, 0"})
  void aSampleIsRoundedUp(double sample, int buckets, int compared) {
    assertThat(Bucket.compared(equal(buckets), sample, 7)).hasSize(compared);
  }

  @Test
  void aSampleGoesByItsSeed() {
    List<Bucket> all = equal(100);
    assertThat(Bucket.compared(all, 0.1, 7)).isEqualTo(Bucket.compared(all, 0.1, 7));
    assertThat(Bucket.compared(all, 0.1, 7)).isNotEqualTo(Bucket.compared(all, 0.1, 8));
  }

  @Test
  void bucketsThatDifferAreComparedWhateverTheSample() {
    List<Bucket> all =
        Bucket.join(
            List.of(count(0L, 2, 3), count(1L, 2, 23), count(2L, 2, 40), count(null, 1, null)),
            List.of(count(0L, 2, 3), count(1L, 2, 24), count(3L, 1, 30), count(null, 1, null)));
    assertThat(all).extracting(Bucket::number).containsExactly(null, 0L, 1L, 2L, 3L);
    assertThat(Bucket.compared(all, 0, 7)).extracting(Bucket::number).containsExactly(1L, 2L, 3L);
  }
}
