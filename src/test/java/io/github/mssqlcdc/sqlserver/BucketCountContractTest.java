package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.type.SqlType;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rows and key sums per bucket, as the server counts them. */
class BucketCountContractTest {
  private final ClientFixture fixture = new ClientFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private List<String> counts(String type, long width, String values) {
    fixture.database.run(
        "CREATE TABLE dbo.counted (k " + type + " NULL, name nvarchar(10) NULL)",
        "INSERT INTO dbo.counted (k) VALUES " + values,
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'counted',"
            + " @role_name = NULL");
    SqlServer client = fixture.connect(fixture.database.user(), fixture.database.password());
    CaptureInstance counted = client.captureInstance("dbo_counted");
    KeyColumn key = new KeyColumn("k", new SqlType(type, 0, 0, 0), null);
    assertThat(client.countBuckets(counted, null))
        .containsExactly(new BucketCount(null, values.split("\\),").length, null));
    return client.countBuckets(counted, new BucketGrid(key, width)).stream()
        .map(count -> count.bucket() + ": " + count.rows() + " " + count.keySum())
        .toList();
  }

  @Test
  void bucketsGoOnBelowZeroAndNullsHaveTheirOwn() {
    assertThat(counts("int", 10, "(-25), (-21), (-20), (-1), (0), (9), (10), (NULL), (NULL)"))
        .containsExactly("null: 2 null", "-3: 2 -46", "-2: 1 -20", "-1: 1 -1", "0: 2 9", "1: 1 10");
  }

  @Test
  void theEndsOfABigintAreCountedAndSummedWithoutOverflow() {
    assertThat(
            counts(
                "bigint",
                1,
                "(-9223372036854775808), (9223372036854775807), (9223372036854775807)"))
        .containsExactly(
            "-9223372036854775808: 1 -9223372036854775808",
            "9223372036854775807: 2 18446744073709551614");
  }

  @Test
  void aDateCountsItsDaysFrom1970() {
    assertThat(counts("date", 10, "('0001-01-01'), ('1969-12-31'), ('1970-01-01'), ('9999-12-31')"))
        .containsExactly("-71917: 1 -719162", "-1: 1 -1", "0: 1 0", "293289: 1 2932896");
  }
}
