package io.github.mssqlcdc.source.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

class DecimalVectorTest {
  private static final int DIGITS = 38;
  private static final int SCALE = 4;

  private static final List<String> VALUES =
      List.of(
          "0.0000",
          "-922337203685477.5808",
          "99999999999999.9999",
          "-99999999999999.9999",
          "100000000000000.0000",
          "9999999999999999999999999999999999.9999",
          "-0.0001");

  @Test
  void givesWhatItTookOnBothSidesOfEighteenDigits() {
    try (DecimalVector vector = vector()) {
      VALUES.forEach(value -> vector.append(new BigDecimal(value)));

      for (int row = 0; row < VALUES.size(); row++) {
        assertValue(vector, row, VALUES.get(row));
      }
      assertThat(vector.hasNull()).isFalse();
    }
  }

  @Test
  void holdsNoValueOfABatchThatIsOver() {
    try (DecimalVector vector = vector()) {
      VALUES.forEach(value -> vector.append(new BigDecimal(value)));
      vector.reset();
      vector.append(null);
      VALUES.forEach(value -> vector.append(new BigDecimal("1.0000")));

      assertThat(vector.numNulls()).isEqualTo(1);
      assertThat(vector.getDecimal(0, DIGITS, SCALE)).isNull();
      for (int row = 1; row <= VALUES.size(); row++) {
        assertValue(vector, row, "1.0000");
      }
    }
  }

  @Test
  void beginsAnewWithARowOfTheBatchBefore() {
    try (DecimalVector vector = vector()) {
      vector.append(null);
      VALUES.forEach(value -> vector.append(new BigDecimal(value)));
      vector.carry(6);
      assertValue(vector, 0, VALUES.get(5));
      vector.append(null);
      vector.carry(1);

      assertThat(vector.isNullAt(0)).isTrue();
      assertThat(vector.numNulls()).isEqualTo(1);
    }
  }

  private static DecimalVector vector() {
    return new DecimalVector(DataTypes.createDecimalType(DIGITS, SCALE), VALUES.size() + 1);
  }

  private static void assertValue(DecimalVector vector, int row, String expected) {
    assertThat(vector.isNullAt(row)).isFalse();
    assertThat(vector.getDecimal(row, DIGITS, SCALE))
        .hasToString(expected)
        .extracting(value -> value.toJavaBigDecimal())
        .isEqualTo(new BigDecimal(expected));
  }
}
