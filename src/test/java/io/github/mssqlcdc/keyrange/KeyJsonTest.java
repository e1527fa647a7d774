package io.github.mssqlcdc.keyrange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.type.SqlType;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyJsonTest {
  private static final KeyColumn ID = column("id", "bigint", 0, 0, 0);
  private static final KeyColumn NAME = column("name", "nvarchar", 50, 0, 0);

  @Test
  void aBoundOfOneColumnIsAValueAndNullIsOpen() {
    assertThat(KeyJson.parse(List.of(ID), "9007199254740993"))
        .isEqualTo(KeyBound.of("9007199254740993"));
    assertThat(KeyJson.parse(List.of(ID), "\" 17 \"")).isEqualTo(KeyBound.of("17"));
    assertThat(KeyJson.parse(List.of(ID), "null")).isNull();
    assertThat(KeyJson.write(List.of(ID), null)).isEqualTo("null");
  }

  @Test
  void aBoundOfSeveralColumnsIsAListWithABlankAfterEachComma() {
    KeyBound bound = new KeyBound(Arrays.asList("17", "it's \"x\""));

    assertThat(KeyJson.write(List.of(ID, NAME), bound)).isEqualTo("[17, \"it's \\\"x\\\"\"]");
    assertThat(KeyJson.parse(List.of(ID, NAME), "[17,\"it's \\\"x\\\"\"]")).isEqualTo(bound);
    assertThat(KeyJson.write(List.of(ID, NAME), new KeyBound(Arrays.asList(null, "a"))))
        .isEqualTo("[null, \"a\"]");
    assertThat(KeyJson.parse(List.of(ID, NAME), "[1, null]"))
        .isEqualTo(new KeyBound(Arrays.asList("1", null)));
  }

  @Property
  void everyTextAndIntegerComesBack(@ForAll long id, @ForAll @StringLength(max = 50) String name) {
    List<KeyColumn> columns = List.of(ID, NAME);
    KeyBound bound = new KeyBound(List.of(Long.toString(id), name));

    assertThat(KeyJson.parse(columns, KeyJson.write(columns, bound))).isEqualTo(bound);
  }

  @ParameterizedTest
  @CsvSource({
    "tinyint,0,0,0,255,255",
    "bit,0,0,0,true,1",
    "decimal,0,38,4,12345678901234567890.5000,12345678901234567890.5",
    "decimal,0,38,4,1E3,1000",
    "money,0,0,0,-0.0001,-0.0001",
    "float,0,0,0,1.5e300,1.5e300",
    "date,0,0,0,0001-01-01,0001-01-01",
    "datetime2,0,0,7,2026-03-29 02:30:00.1234567,2026-03-29T02:30:00.1234567",
    "datetime2,0,0,0,2026-03-29,2026-03-29T00:00:00",
    "datetime,0,0,0,2026-03-29T02:30,2026-03-29T02:30:00.000",
    "smalldatetime,0,0,0,2026-03-29T02:30,2026-03-29T02:30:00",
    "time,0,0,7,23:59:59.9999999,23:59:59.9999999",
    "datetimeoffset,0,0,7,2026-03-29 02:30:00.1234567 +05:30,2026-03-29T02:30:00.1234567+05:30",
    "datetimeoffset,0,0,0,2026-03-29T02:30:00Z,2026-03-29T02:30:00+00:00",
    "uniqueidentifier,0,0,0,6f9619ff-8b86-d011-b42d-00c04fc964ff,6F9619FF-8B86-D011-B42D-00C04FC964FF",
    "binary,3,0,0,0x01af00,0x01AF00",
    "timestamp,0,0,0,0x00000000000007D1,0x00000000000007D1",
  })
  void aValueIsWrittenAsItsTypeReadsItInAnyLanguage(
      String type, int length, int precision, int scale, String text, String bound) {
    assertThat(parse(column("k", type, length, precision, scale), text))
        .isEqualTo(KeyBound.of(bound));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"17", "[17]", "[17, \"a\", 1]", "{}", "[17, [1]]", "x"})
  void otherJsonIsNoBoundOfTwoColumns(String json) {
    assertThatThrownBy(() -> KeyJson.parse(List.of(ID, NAME), json))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aBoundHasAValueForEachColumn() {
    assertThatThrownBy(() -> new KeyRange(List.of(ID, NAME), KeyBound.of("1"), null))
        .hasMessage("A bound of 1 values for 2 columns");
    assertThatThrownBy(() -> new KeyBound(List.of())).hasMessage("A bound needs a value");
  }

  @Test
  void aCollationIsAWord() {
    assertThatThrownBy(() -> new KeyColumn("k", NAME.type(), "x; DROP TABLE t"))
        .hasMessage("Invalid collation 'x; DROP TABLE t' of column 'k'");
  }

  private static KeyBound parse(KeyColumn column, String text) {
    return java.util.Objects.requireNonNull(KeyJson.parse(List.of(column), "\"" + text + "\""));
  }

  private static KeyColumn column(String name, String type, int length, int precision, int scale) {
    return new KeyColumn(name, new SqlType(type, length, precision, scale), null);
  }
}
