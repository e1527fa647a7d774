package io.github.mssqlcdc.source.row;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

class BytesVectorTest {
  @Test
  void holdsNoValueOfABatchThatIsOver() {
    try (BytesVector vector = new BytesVector(DataTypes.BinaryType, 2)) {
      vector.append(new byte[10]);
      vector.append(null);

      vector.reset();

      assertThat(vector.value(0)).isNull();
      assertThat(vector.hasNull()).isFalse();
      vector.append(new byte[1]);
      assertThat(vector.value(0)).hasSize(1);
      assertThat(vector.value(1)).isNull();
    }
  }
}
