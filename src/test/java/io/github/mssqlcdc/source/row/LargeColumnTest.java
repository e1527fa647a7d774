package io.github.mssqlcdc.source.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.SqlType;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LargeColumnTest {

  @ParameterizedTest(name = "{0}, operation {1}, touched {2}")
  @CsvSource({
    "nvarchar(max),  1, true,  false",
    "nvarchar(max),  1, false, false",
    "nvarchar(max),  2, true,  false",
    "nvarchar(max),  3, true,  false",
    "nvarchar(max),  3, false, true",
    "nvarchar(max),  4, true,  false",
    "nvarchar(max),  4, false, true",
    "varchar(max),   3, false, true",
    "varbinary(max), 1, true,  false",
    "varbinary(max), 3, true,  false",
    "varbinary(max), 4, false, true",
    "xml,            1, true,  false",
    "xml,            3, true,  false",
    "xml,            3, false, true",
    "xml,            4, true,  false",
    "json,           1, true,  false",
    "json,           3, false, true",
    "json,           4, true,  false",
    "geometry,       3, false, true",
    "geography,      4, false, true",
    "text,           1, true,  true",
    "text,           1, false, true",
    "text,           2, true,  false",
    "text,           3, true,  true",
    "text,           3, false, true",
    "text,           4, true,  false",
    "text,           4, false, true",
    "ntext,          1, true,  true",
    "ntext,          3, true,  true",
    "ntext,          4, true,  false",
    "image,          1, true,  true",
    "image,          3, true,  true",
    "image,          4, false, true",
    "image,          4, true,  false",
  })
  void tellsByOperationAndMaskWhetherANullIsLeftOut(
      String type, int operation, boolean isTouched, boolean isLeftOut) {
    // the mask of a change that touched column 2, or all but it
    byte[] mask = {(byte) (isTouched ? 0b0010 : 0b1101)};

    assertThat(column(2, type).isLeftOut(operation, mask)).isEqualTo(isLeftOut);
  }

  @ParameterizedTest(name = "column {0} in mask {1}")
  @CsvSource({
    "1, 01, true",
    "1, FE, false",
    "8, 80, true",
    "9, 01, false",
    "9, 0100, true",
    "8, 0100, false",
    "1, 0100, false",
    "16, 8000, true",
    "17, 010000, true",
    "10, FDFF, false",
    "1024, 80, false",
  })
  void countsBitsFromTheLastByte(int ordinal, String mask, boolean isSet) {
    LargeColumn column = column(ordinal, "xml");

    assertThat(column.isLeftOut(4, HexFormat.of().parseHex(mask))).isEqualTo(!isSet);
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3", "4"})
  void takesNothingForKnownWithoutAMask(int operation) {
    assertThat(column(1, "nvarchar(max)").isLeftOut(operation, null)).isTrue();
  }

  private static LargeColumn column(int ordinal, String type) {
    String name = type.replace("(max)", "");
    SqlType sqlType = new SqlType(name, name.equals(type) ? 0 : SqlType.MAX, 0, 0);
    assertThat(sqlType.isLarge()).isTrue();
    return Objects.requireNonNull(
        LargeColumn.of(new CapturedColumn("c", ordinal, ordinal, sqlType)));
  }
}
