package io.github.mssqlcdc.source;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every type with the smallest value of its range, the largest and a third one. */
final class TypeCases {
  private final Map<String, TypeCase> cases = new LinkedHashMap<>();

  /**
   * @param type as declared
   * @param literals T-SQL of the smallest, the largest and another value
   * @param expected their text in Spark
   */
  record TypeCase(String type, List<String> literals, List<String> expected) {}

  private TypeCases() {}

  /** Cases by column name. */
  static Map<String, TypeCase> all() {
    TypeCases cases = new TypeCases();
    cases.numbers();
    cases.decimals();
    cases.times();
    cases.fractions();
    cases.offsets();
    cases.text();
    cases.oddText();
    cases.bytes();
    return cases.cases;
  }

  private void add(String column, String type, String... literalsThenExpected) {
    List<String> values = List.of(literalsThenExpected);
    cases.put(column, new TypeCase(type, values.subList(0, 3), values.subList(3, 6)));
  }

  private void numbers() {
    add("bit_", "bit", "0", "1", "1", "false", "true", "true");
    add("tinyint_", "tinyint", "0", "255", "200", "0", "255", "200");
    add("smallint_", "smallint", "-32768", "32767", "-1", "-32768", "32767", "-1");
    add(
        "int_",
        "int SPARSE NULL",
        "-2147483648",
        "2147483647",
        "-1",
        "-2147483648",
        "2147483647",
        "-1");
    add(
        "bigint_",
        "bigint",
        "-9223372036854775808",
        "9223372036854775807",
        "-1",
        "-9223372036854775808",
        "9223372036854775807",
        "-1");
    add(
        "real_",
        "real",
        "-3.402823466E+38",
        "3.402823466E+38",
        "1.175494351E-38",
        "-3.4028235E38",
        "3.4028235E38",
        "1.17549435E-38");
    add("small_real", "real", "-1.175494351E-38", "0", "0.1", "-1.17549435E-38", "0.0", "0.1");
    add(
        "float_",
        "float",
        "-1.7976931348623157E+308",
        "1.7976931348623157E+308",
        "2.2250738585072014E-308",
        "-1.7976931348623157E308",
        "1.7976931348623157E308",
        "2.2250738585072014E-308");
    add(
        "small_float",
        "float",
        "-2.2250738585072014E-308",
        "0",
        "0.1",
        "-2.2250738585072014E-308",
        "0.0",
        "0.1");
  }

  private void decimals() {
    String nines = "9".repeat(38);
    add("d38_0", "decimal(38,0)", "-" + nines, nines, "0", "-" + nines, nines, "0");
    String fraction = "0." + nines;
    add(
        "d38_38",
        "decimal(38,38)",
        "-" + fraction,
        fraction,
        "0." + "0".repeat(37) + "1",
        "-" + fraction,
        fraction,
        "0." + "0".repeat(37) + "1");
    add(
        "d9_2",
        "numeric(9,2)",
        "-9999999.99",
        "9999999.99",
        "1.5",
        "-9999999.99",
        "9999999.99",
        "1.50");
    add(
        "money_",
        "money",
        "-922337203685477.5808",
        "922337203685477.5807",
        "-0.0001",
        "-922337203685477.5808",
        "922337203685477.5807",
        "-0.0001");
    add(
        "smallmoney_",
        "smallmoney",
        "-214748.3648",
        "214748.3647",
        "-0.0001",
        "-214748.3648",
        "214748.3647",
        "-0.0001");
    add("alias_", "dbo.money2", "-1.0001", "1.0001", "999", "-1.0001", "1.0001", "999.0000");
  }

  /** Dates around the calendar reform, which Java's old classes read in another calendar. */
  private void times() {
    add(
        "date_",
        "date",
        "'0001-01-01'",
        "'9999-12-31'",
        "'1582-10-04'",
        "0001-01-01",
        "9999-12-31",
        "1582-10-04");
    add(
        "reform",
        "date",
        "'1582-10-15'",
        "'1900-01-01'",
        "'1582-10-10'",
        "1582-10-15",
        "1900-01-01",
        "1582-10-10");
    add(
        "datetime_",
        "datetime",
        "'1753-01-01T00:00:00'",
        "'9999-12-31T23:59:59.997'",
        "'2026-03-08T02:30:00.003'",
        "1753-01-01 00:00:00",
        "9999-12-31 23:59:59.997",
        "2026-03-08 02:30:00.003");
    add(
        "smalldatetime_",
        "smalldatetime",
        "'1900-01-01T00:00:00'",
        "'2079-06-06T23:59:00'",
        "'2026-03-08T02:30:00'",
        "1900-01-01 00:00:00",
        "2079-06-06 23:59:00",
        "2026-03-08 02:30:00");
    add(
        "old_datetime2",
        "datetime2(7)",
        "'1582-10-04T23:59:59.9999999'",
        "'1582-10-15T00:00:00.0000001'",
        "'1900-01-01T00:00:00'",
        "1582-10-04 23:59:59.999999",
        "1582-10-15 00:00:00",
        "1900-01-01 00:00:00");
    add(
        "old_offset",
        "datetimeoffset(7)",
        "'0001-01-10T00:00:00+01:00'",
        "'1582-10-15T00:00:00-14:00'",
        "'2026-10-25T02:30:00+14:00'",
        "0001-01-09T23:00:00Z",
        "1582-10-15T14:00:00Z",
        "2026-10-24T12:30:00Z");
  }

  /** The instant has to be in range as well. */
  private void offsets() {
    add(
        "far_offset",
        "datetimeoffset(7)",
        "'0001-01-01T14:00:00+14:00'",
        "'9999-12-31T09:59:59.9999999-14:00'",
        "'0001-01-01T00:00:00-14:00'",
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999999Z",
        "0001-01-01T14:00:00Z");
  }

  /** The scales 0 to 7 of the three types that have one. */
  private void fractions() {
    for (int scale = 0; scale <= 7; scale++) {
      String nines = scale == 0 ? "" : "." + "9".repeat(scale);
      String one = scale == 0 ? "" : "." + "0".repeat(scale - 1) + "1";
      String micros = scale == 0 ? "" : "." + "9".repeat(Math.min(scale, 6));
      String oneMicro = scale == 0 || scale == 7 ? "" : one;
      String pad = "0".repeat(9 - scale);
      add(
          "time" + scale,
          "time(" + scale + ")",
          "'00:00:00'",
          "'23:59:59" + nines + "'",
          "'13:50:01" + one + "'",
          "00:00:00.000000000",
          "23:59:59." + "9".repeat(scale) + pad,
          "13:50:01." + (scale == 0 ? "" : one.substring(1)) + pad);
      add(
          "datetime2_" + scale,
          "datetime2(" + scale + ")",
          "'0001-01-01T00:00:00'",
          "'9999-12-31T23:59:59" + nines + "'",
          "'2026-03-08T02:30:00" + one + "'",
          "0001-01-01 00:00:00",
          "9999-12-31 23:59:59" + micros,
          "2026-03-08 02:30:00" + oneMicro);
      add(
          "offset" + scale,
          "datetimeoffset(" + scale + ")",
          "'0001-01-01T00:00:00+00:00'",
          "'9999-12-31T23:59:59" + nines + "+00:00'",
          "'2026-02-28T13:50:00" + one + "-03:00'",
          "0001-01-01T00:00:00Z",
          Instant.parse("9999-12-31T23:59:59" + micros + "Z").toString(),
          Instant.parse("2026-02-28T16:50:00" + oneMicro + "Z").toString());
    }
  }

  private void text() {
    add("char_", "char(4)", "''", "'abcd'", "'é'", "    ", "abcd", "é   ");
    add("nchar_", "nchar(4)", "N''", "N'Ωβγδ'", "N'😀'", "    ", "Ωβγδ", "😀  ");
    add("varchar_", "varchar(8000)", "''", "'a '", "'é'", "", "a ", "é");
    add("nvarchar_", "nvarchar(4000)", "N''", "N'Ω\n''x'", "N'😀'", "", "Ω\n'x", "😀");
    add(
        "sysname_",
        "sysname NULL",
        "N'a'",
        "N'" + "x".repeat(128) + "'",
        "N'Ω'",
        "a",
        "x".repeat(128),
        "Ω");
    add("varchar_max", "varchar(max)", "''", "'a '", "'é'", "", "a ", "é");
    add(
        "nvarchar_max",
        "nvarchar(max)",
        "N''",
        "REPLICATE(CAST(N'Ω' AS nvarchar(max)), 1000000)",
        "N'😀'",
        "",
        "Ω".repeat(1_000_000),
        "😀");
    add("text_", "text", "''", "'a '", "'é'", "", "a ", "é");
    add("ntext_", "ntext", "N''", "N'Ω'", "N'😀'", "", "Ω", "😀");
    add(
        "xml_",
        "xml",
        "N'<a/>'",
        "N'<a b=\"1\">Ω</a>'",
        "N'<a>x</a>'",
        "<a/>",
        "<a b=\"1\">Ω</a>",
        "<a>x</a>");
    add(
        "guid_",
        "uniqueidentifier",
        "'00000000-0000-0000-0000-000000000000'",
        "'ffffffff-ffff-ffff-ffff-ffffffffffff'",
        "'6f9619ff-8b86-d011-b42d-00c04fc964ff'",
        "00000000-0000-0000-0000-000000000000",
        "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
        "6F9619FF-8B86-D011-B42D-00C04FC964FF");
  }

  private void oddText() {
    String utf8 = " COLLATE Latin1_General_100_CI_AS_SC_UTF8";
    String nul = "'a' + CHAR(0) + 'b'";
    String unicodeNul = "N'a' + NCHAR(0) + N'b'";
    String nulRead = "a\0b";
    add("odd_char", "char(4)", nul, "'ab  '", "' a'", nulRead + " ", "ab  ", " a  ");
    add("odd_varchar", "varchar(4)", nul, "'ab  '", "'    '", nulRead, "ab  ", "    ");
    add("odd_nchar", "nchar(4)", unicodeNul, "N'ab  '", "N' Ω'", nulRead + " ", "ab  ", " Ω  ");
    add("odd_nvarchar", "nvarchar(4)", unicodeNul, "N'ab  '", "N'😀😀'", nulRead, "ab  ", "😀😀");
    add("utf8_", "varchar(8)" + utf8, "N''", "N'😀😀'", "N'é\uFFFDΩ '", "", "😀😀", "é\uFFFDΩ ");
    // halves of a pair, as LEFT and SUBSTRING leave them
    String high = "NCHAR(55357)";
    String low = "NCHAR(56832)";
    String halves = high + " + N'xy' + " + low + " + N'z😀' + " + low + " + " + high;
    String halvesRead = "\uFFFDxy\uFFFDz😀\uFFFD\uFFFD";
    String marked = "N'\uFFFD' + NCHAR(65533) + N'z'";
    String markedRead = "\uFFFD\uFFFDz";
    String manyOmegas = "REPLICATE(CAST(N'Ω' AS nvarchar(max)), 20000) + ";
    add("half", "nvarchar(20)", halves, high, marked, halvesRead, "\uFFFD", markedRead);
    add("half_char", "nchar(2)", high, high + " + " + low, low, "\uFFFD ", "😀", "\uFFFD ");
    add(
        "half_max",
        "nvarchar(max)",
        manyOmegas + halves,
        high + " + N'a'",
        marked,
        "Ω".repeat(20_000) + halvesRead,
        "\uFFFDa",
        markedRead);
    add("half_ntext", "ntext", halves, high + " + N'a'", marked, halvesRead, "\uFFFDa", markedRead);
  }

  private void bytes() {
    add("binary_", "binary(3)", "0x00", "0xFFFFFF", "0x0102", "000000", "ffffff", "010200");
    add("varbinary_", "varbinary(8000)", "0x", "0xFF00", "0x0102", "", "ff00", "0102");
    add("varbinary_max", "varbinary(max)", "0x", "0xFF00", "0x0102", "", "ff00", "0102");
    add("image_", "image", "0x", "0xFF00", "0x0102", "", "ff00", "0102");
  }
}
