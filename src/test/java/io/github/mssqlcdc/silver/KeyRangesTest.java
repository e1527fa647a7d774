package io.github.mssqlcdc.silver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.bronze.HeldWave.Bounds;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spark")
final class KeyRangesTest {
  private static Optional<Column> range(String type, String lo, String hi) {
    return new KeyRanges(StructType.fromDDL("k " + type), List.of("K")).within(new Bounds(lo, hi));
  }

  /** Which of these values are certainly in the range. */
  private static List<String> within(String type, List<String> values, String lo, String hi) {
    String rows = String.join("), (", values);
    Dataset<Row> table =
        TestSession.get()
            .sql("SELECT CAST(v AS " + type + ") AS k FROM VALUES (" + rows + ") AS t(v)");
    return table.where(range(type, lo, hi).orElseThrow()).collectAsList().stream()
        .map(row -> String.valueOf(row.get(0)))
        .toList();
  }

  @Test
  void wholeNumbersAreComparedAsSuchAlsoBeyondTheLargest() {
    List<String> keys = List.of("1", "5", "2147483647", "NULL");
    assertThat(within("INT", keys, "1", "5")).containsExactly("1");
    assertThat(within("INT", keys, "\"5\"", "2147483648")).containsExactly("5", "2147483647");
    assertThat(within("BIGINT", List.of("9223372036854775807"), "5", "9223372036854775808"))
        .containsExactly("9223372036854775807");
    assertThat(within("INT", keys, "null", "5")).containsExactly("1");
    assertThat(within("INT", keys, "null", "null")).containsExactly("1", "5", "2147483647", "null");
  }

  @Test
  void datesAreReadFromEitherText() {
    List<String> keys = List.of("'2026-01-01'", "'2026-01-02'");
    assertThat(within("DATE", keys, "\"2026-01-01\"", "\"2026-01-02T00:00:00.0000000\""))
        .containsExactly("2026-01-01");
    assertThat(within("DATE", keys, "\"2026-01-02 00:00:00.0000000\"", "null"))
        .containsExactly("2026-01-02");
  }

  @Test
  void theMicrosecondOfABoundWithSevenDigitsIsInNoRange() {
    List<String> keys = List.of("'2026-01-01 00:00:00.000001'", "'2026-01-01 00:00:00.000002'");
    String between = "\"2026-01-01T00:00:00.0000015\"";
    assertThat(within("TIMESTAMP_NTZ", keys, between, "null"))
        .containsExactly("2026-01-01T00:00:00.000002");
    assertThat(within("TIMESTAMP_NTZ", keys, "null", between)).isEmpty();
    assertThat(within("TIMESTAMP_NTZ", keys, "\"2026-01-01T00:00:00.0000010\"", "null")).hasSize(2);
  }

  @Test
  void textIsOrderedByTheServerAloneAndSoAreKeysOfSeveralColumns() {
    assertThat(range("STRING", "\"a\"", "null")).isEmpty();
    assertThat(range("STRING", "null", "null")).isPresent();
    assertThat(
            new KeyRanges(StructType.fromDDL("a INT, b INT"), List.of("a", "b"))
                .within(new Bounds("[1, 2]", "null")))
        .isEmpty();
  }
}
