package io.github.mssqlcdc.keyrange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.node.TextNode;
import io.github.mssqlcdc.type.SqlType;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a column of each type holds exactly, and what is just not that. */
class KeyTextTest {
  private static final String LATIN = "Latin1_General_CI_AS";
  private static final String UTF8 = "Latin1_General_100_CI_AS_SC_UTF8";
  private static final String CYRILLIC = "Cyrillic_General_CI_AS";
  private static final String JAPANESE = "Japanese_CI_AS";

  private static final List<KeyColumn> EVERY_TYPE =
      Stream.of(
              "tinyint,smallint,int,bigint,bit,decimal,numeric,money,smallmoney,real,float,date",
              "datetime,smalldatetime,datetime2,time,datetimeoffset,uniqueidentifier,binary",
              "varbinary,rowversion,char,varchar,nchar,nvarchar,xml")
          .flatMap(names -> Stream.of(names.split(",")))
          .map(name -> column(name, 4, 38, 4, LATIN))
          .toList();

  static Stream<Arguments> held() {
    return Stream.of(
        values("tinyint", "0", "255", "1e2", "2.0"),
        values("smallint", "-32768", "32767"),
        values("int", "-2147483648", "2147483647", "1e9"),
        values("bigint", "-9223372036854775808", "9223372036854775807"),
        values("bit", "0", "1", "true", "False"),
        values(
            column("decimal", 0, 5, 2, null), "-999.99", "999.99", "1.500", "9e2", "1e-2", "0e5"),
        values(column("numeric", 0, 38, 38, null), "0." + "9".repeat(38)),
        values("money", "-922337203685477.5808", "922337203685477.5807"),
        values("smallmoney", "-214748.3648", "214748.3647", "0.0001"),
        values(
            "real",
            "3.40282347e38",
            "-3.40282347e38",
            "1.17549435e-38",
            "0",
            "0.1",
            "16777216",
            "16777218"),
        values(
            "float",
            "1.7976931348623157e308",
            "-1.7976931348623157e308",
            "2.2250738585072014e-308",
            "0.1",
            "9007199254740992"),
        values("date", "0001-01-01", "9999-12-31", "2024-02-29"),
        values(
            "datetime",
            "1753-01-01",
            "9999-12-31T23:59:59.997",
            "2026-03-29T02:30:00.003",
            "2026-03-29T02:30:00.120"),
        values("smalldatetime", "1900-01-01", "2079-06-06T23:59", "2026-03-29T02:30:00"),
        values(time("datetime2", 7), "0001-01-01", "9999-12-31T23:59:59.9999999"),
        values(time("datetime2", 0), "2026-03-29T02:30:01"),
        values(time("time", 7), "00:00:00", "23:59:59.9999999"),
        values(
            time("datetimeoffset", 7),
            "0001-01-01T00:00:00Z",
            "0001-01-01T14:00:00+14:00",
            "9999-12-31T23:59:59.9999999Z",
            "9999-12-31T09:59:59-14:00",
            "2026-03-29T02:30:00-00:30"),
        values("uniqueidentifier", "6f9619ff-8b86-d011-b42d-00c04fc964ff"),
        values("binary", "0x", "0x01AF00ff"),
        values("varbinary", "0x", "0x01AF00ff"),
        values("rowversion", "0x00000000000007D1"),
        values(text("varchar", 4, LATIN), "", "abcd", "é€ß", " x "),
        values(text("varchar", 4, null), "abcd"),
        values(text("varchar", 4, "SQL_Latin1_General_CP1251_CS_AS"), "жЖ"),
        values(text("char", 4, CYRILLIC), "жЖ"),
        values(text("varchar", 4, UTF8), "éé", "😀", "abcd", "a€"),
        values(text("varchar", 4, JAPANESE), "日本"),
        values(text("varchar", 4, "Unheard_Of_CI_AS"), "abcd"),
        values(text("varchar", -1, LATIN), "x".repeat(10_000)),
        values(text("nvarchar", 4, LATIN), "жé日本", "😀😀", "\0\t"));
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        values("tinyint", "-1", "257", "0.5", "1e3", "", "x", "١", "0x1"),
        values("smallint", "-32769", "32769"),
        values("int", "-2147483649", "2147483649", "1e10", "true"),
        values("bigint", "-9223372036854775809", "9223372036854775809", "1.5"),
        values("bit", "2", "-1", "yes"),
        values(column("decimal", 0, 5, 2, null), "1000", "999.999", "0.001", "1e3", "1e-3"),
        values(column("numeric", 0, 38, 38, null), "1", "1e-39"),
        values("money", "-922337203685477.5809", "922337203685477.5808", "0.00001"),
        values("smallmoney", "-214748.3649", "214748.3648"),
        values("real", "3.5e38", "-3.5e38", "1e-39", "1e-50", "16777217", "0.123456789012", "NaN"),
        values("float", "1.8e308", "-1.8e308", "1e999", "1e-310", "1e-400", "9007199254740993"),
        values("float", "Infinity", "١", "0x1p3", "1d"),
        values("date", "0000-12-31", "-0005-01-01", "+10000-01-01", "30.9.2026", "2026-02-29"),
        values("datetime", "1752-12-31T23:59:59.997", "+10000-01-01", "9999-12-31T23:59:59.999"),
        values("datetime", "2026-03-29T02:30:00.001", "2026-03-29T02:30:00.0031"),
        values("smalldatetime", "1899-12-31T23:59", "2079-06-07", "2026-03-29T02:30:31"),
        values("smalldatetime", "2026-03-29T02:30:29", "2026-03-29T02:30:00.5"),
        values(time("datetime2", 7), "0000-12-31T23:59", "+10000-01-01", "2026-03-29T25:00"),
        values(time("datetime2", 3), "2026-03-29T02:30:00.1234"),
        values(time("time", 0), "24:00:00", "23:59:59.5"),
        values(time("datetimeoffset", 0), "2026-03-29T02:30:00", "2026-03-29T02:30:00+02:00:30"),
        values(time("datetimeoffset", 0), "2026-03-29T02:30:00+14:01", "2026-03-29T02:30:00-18:00"),
        values(time("datetimeoffset", 0), "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01"),
        values("uniqueidentifier", "6f9619ff", "6f9619ff8b86d011b42d00c04fc964ff"),
        values("binary", "0x0102030405", "AF", "0x1"),
        values("rowversion", "0x000000000000000001"),
        values(text("varchar", 4, LATIN), "abcde", "ж", "😀", "Ł"),
        values(text("char", 4, CYRILLIC), "é"),
        values(text("varchar", 4, UTF8), "ééé", "ab€", "😀a"),
        values(text("varchar", 4, JAPANESE), "日本a", "é"),
        values(text("varchar", 4, "Unheard_Of_CI_AS"), "é"),
        values(text("varchar", 4, null), "é"),
        values(text("nvarchar", 4, LATIN), "abcde", "😀😀a", "a\uD83D", "\uDE00"),
        values("xml", "<a/>"));
  }

  @ParameterizedTest
  @MethodSource("held")
  void aValueThatTheColumnHoldsIsABound(KeyColumn column, List<String> texts) {
    for (String text : texts) {
      assertThat(KeyJson.parse(List.of(column), json(text))).as(text).isNotNull();
    }
  }

  /** The last chunk of a table whose largest key is the type's largest value ends there. */
  @ParameterizedTest
  @CsvSource({"tinyint, 256", "smallint, 32768", "int, 2147483648", "bigint, 9223372036854775808"})
  void theValueAfterTheLargestIntegerIsABound(String type, String text) {
    assertThat(KeyJson.parse(List.of(column(type, 0, 0, 0, null)), json(text)))
        .isEqualTo(KeyBound.of(text));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void aValueThatTheColumnDoesNotHoldIsRefused(KeyColumn column, List<String> texts) {
    for (String text : texts) {
      assertThatThrownBy(() -> KeyJson.parse(List.of(column), json(text)))
          .as(text)
          .isExactlyInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              json(text) + " is no value of column 'k': expected " + KeyText.expected(column));
    }
  }

  @Test
  void everyTypeIsInBothTables() {
    List<String> held = names(held()).toList();
    List<String> refused = names(refused()).toList();

    for (KeyColumn column : EVERY_TYPE) {
      String name = column.type().name();
      if (!List.of("xml", "nchar").contains(name)) {
        assertThat(held).contains(name);
      }
      if (!List.of("bit", "nchar", "varbinary").contains(name)) {
        assertThat(refused).contains(name);
      }
    }
  }

  @Test
  void theMessageSaysWhatTheColumnAllows() {
    assertThat(expected("smallmoney")).contains("214748.3647");
    assertThat(expected("datetime")).contains("1753 to 9999").contains("end with 0, 3 or 7");
    assertThat(expected("smalldatetime")).contains("1900-01-01 to 2079-06-06").contains("minutes");
    assertThat(expected("datetimeoffset"))
        .contains("in UTC")
        .contains("14:00")
        .contains("4 digits");
    assertThat(expected("varchar")).contains("4 bytes").contains(LATIN);
    assertThat(expected("decimal")).contains("decimal(38, 4)");
    assertThat(expected("xml")).contains("another type: xml");
  }

  /** A short text may be a long number, and a long text is no number at all. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e999999999",
        "-1E+2147483647",
        "1e-999999999",
        "\"1e999999999\"",
        "1e99999999999",
        "[[[[[[[[[[1]]]]]]]]]]"
      })
  void aHugeNumberIsRefusedAtOnce(String json) {
    for (KeyColumn column : EVERY_TYPE) {
      if (!column.isBinary() && !column.type().name().endsWith("char")) {
        assertRefusedAtOnce(column, json);
      }
    }
  }

  @Test
  void aHugeTextIsRefusedAtOnceWithAShortMessage() {
    for (KeyColumn column : EVERY_TYPE) {
      assertRefusedAtOnce(column, "9".repeat(900));
      assertRefusedAtOnce(column, json("9".repeat(200_000)));
      assertRefusedAtOnce(column, json("0x" + "99".repeat(200_000)));
      assertRefusedAtOnce(column, "[" + "1,".repeat(100_000) + "1]");
      assertRefusedAtOnce(column, "[".repeat(100_000));
    }
  }

  private static void assertRefusedAtOnce(KeyColumn column, String json) {
    assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () ->
            assertThatThrownBy(() -> KeyJson.parse(List.of(column), json))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(500)));
  }

  private static String expected(String type) {
    return KeyText.expected(
        EVERY_TYPE.stream().filter(c -> c.type().name().equals(type)).findFirst().orElseThrow());
  }

  private static Stream<String> names(Stream<Arguments> rows) {
    return rows.map(row -> ((KeyColumn) row.get()[0]).type().name());
  }

  private static String json(String text) {
    return TextNode.valueOf(text).toString();
  }

  private static Arguments values(String type, String... texts) {
    return values(column(type, 4, 0, 0, null), texts);
  }

  private static Arguments values(KeyColumn column, String... texts) {
    return Arguments.of(column, List.of(texts));
  }

  private static KeyColumn time(String type, int scale) {
    return column(type, 0, 0, scale, null);
  }

  private static KeyColumn text(String type, int length, @Nullable String collation) {
    return column(type, length, 0, 0, collation);
  }

  private static KeyColumn column(
      String type, int length, int precision, int scale, @Nullable String collation) {
    return new KeyColumn("k", new SqlType(type, length, precision, scale), collation);
  }
}
