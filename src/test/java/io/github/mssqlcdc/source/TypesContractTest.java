package io.github.mssqlcdc.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every type at both ends of its range: one table, read once as a stream and once as a snapshot.
 * Each column has a text for the smallest value, the largest and a third one.
 */
@Tag("spark")
class TypesContractTest {
  private static final int ROWS = 4;
  private static final Map<String, TypeCase> CASES = new LinkedHashMap<>();

  private static TestDatabase database;
  private static List<Map<String, String>> changes;
  private static List<Map<String, String>> snapshot;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private static Path folder;

  /**
   * @param type as declared
   * @param literals T-SQL of the smallest, the largest and another value
   * @param expected their text in Spark
   */
  private record TypeCase(String type, List<String> literals, List<String> expected) {}

  static {
    numbers();
    times();
    fractions();
    text();
    bytes();
  }

  private static void add(String column, String type, String... literalsThenExpected) {
    List<String> values = List.of(literalsThenExpected);
    CASES.put(column, new TypeCase(type, values.subList(0, 3), values.subList(3, 6)));
  }

  private static void numbers() {
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
    add("real_", "real", "-3.4E38", "3.4E38", "1.18E-38", "-3.4E38", "3.4E38", "1.18E-38");
    add(
        "float_",
        "float",
        "-1.79E308",
        "1.79E308",
        "2.23E-308",
        "-1.79E308",
        "1.79E308",
        "2.23E-308");
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
  private static void times() {
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

  /** The scales 0 to 7 of the three types that have one. */
  private static void fractions() {
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

  private static void text() {
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

  private static void bytes() {
    add("binary_", "binary(3)", "0x00", "0xFFFFFF", "0x0102", "000000", "ffffff", "010200");
    add("varbinary_", "varbinary(8000)", "0x", "0xFF00", "0x0102", "", "ff00", "0102");
    add("varbinary_max", "varbinary(max)", "0x", "0xFF00", "0x0102", "", "ff00", "0102");
    add("image_", "image", "0x", "0xFF00", "0x0102", "", "ff00", "0102");
  }

  @BeforeAll
  static void read() throws Exception {
    database = TestDatabases.create();
    List<String> columns = new ArrayList<>(List.of("id int NOT NULL PRIMARY KEY"));
    CASES.forEach((name, type) -> columns.add(name + " " + type.type()));
    columns.add("version_ rowversion");
    database.run(
        "EXEC sys.sp_configure N'max text repl size', -1",
        "RECONFIGURE",
        "CREATE TYPE dbo.money2 FROM decimal(19,4)",
        "CREATE TABLE dbo.types (" + String.join(", ", columns) + ")",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'types',"
            + " @role_name = NULL");
    for (int row = 0; row < ROWS; row++) {
      List<String> values = new ArrayList<>(List.of(String.valueOf(row)));
      for (TypeCase type : CASES.values()) {
        values.add(row < ROWS - 1 ? type.literals().get(row) : "NULL");
      }
      database.run(
          "INSERT INTO dbo.types (id, "
              + String.join(", ", CASES.keySet())
              + ") VALUES ("
              + String.join(", ", values)
              + ")");
    }
    database.awaitCapture();
    changes = changes();
    snapshot = texts(snapshotRows());
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void everyValueIsExactInChanges() {
    assertThat(differences(changes)).isEmpty();
  }

  @Test
  void everyValueIsExactInASnapshot() {
    assertThat(differences(snapshot)).isEmpty();
  }

  @Test
  void snapshotAndChangesGiveTheSameValues() {
    assertThat(snapshot.equals(changes)).isTrue();
    assertThat(snapshot)
        .extracting(row -> row.get("version_"))
        .doesNotHaveDuplicates()
        .allMatch(version -> version.matches("[0-9a-f]{16}"));
  }

  /** Values that aren't as expected, cut to what can be read. */
  private static List<String> differences(List<Map<String, String>> read) {
    assertThat(read).hasSize(ROWS);
    List<String> differences = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      Map<String, String> values = read.get(row);
      assertThat(values.get("id")).isEqualTo(String.valueOf(row));
      int at = row;
      CASES.forEach(
          (name, type) -> {
            String expected = at < ROWS - 1 ? type.expected().get(at) : "NULL";
            String value = values.getOrDefault(name, "nothing");
            if (!expected.equals(value)) {
              differences.add(name + ": '" + cut(expected) + "', read " + cut(value));
            }
          });
    }
    return differences;
  }

  private static String cut(String value) {
    return value.length() > 60 ? value.substring(0, 60) + "… (" + value.length() + ")" : value;
  }

  private static Map<String, String> options() {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_types");
    return options;
  }

  private static Dataset<Row> snapshotRows() {
    return TestSession.get()
        .read()
        .format("mssql_cdc_snapshot")
        .options(options())
        .load()
        .orderBy("id");
  }

  private static List<Map<String, String>> changes() throws Exception {
    List<Map<String, String>> rows = new ArrayList<>();
    VoidFunction2<Dataset<Row>, Long> collect = (batch, id) -> rows.addAll(texts(batch));
    TestSession.get()
        .readStream()
        .format("mssql_cdc")
        .options(options())
        .load()
        .writeStream()
        .trigger(Trigger.AvailableNow())
        .option("checkpointLocation", folder.resolve("checkpoint").toUri().toString())
        .foreachBatch(collect)
        .start()
        .awaitTermination();
    return rows;
  }

  /** Captured columns as text made by Spark: its own row objects lean on the old calendar. */
  private static List<Map<String, String>> texts(Dataset<Row> rows) {
    List<Column> columns = new ArrayList<>();
    for (StructField field : rows.schema().fields()) {
      if (!field.name().startsWith("_")) {
        columns.add(text(field).as(field.name()));
      }
    }
    List<Map<String, String>> texts = new ArrayList<>();
    for (Row row : rows.select(columns.toArray(Column[]::new)).collectAsList()) {
      Map<String, String> values = new LinkedHashMap<>();
      for (String name : row.schema().fieldNames()) {
        values.put(name, shown(row.getAs(name)));
      }
      texts.add(values);
    }
    return texts;
  }

  private static Column text(StructField field) {
    Column column = functions.col(field.name());
    if (field.dataType().equals(DataTypes.TimestampType)) {
      return functions.unix_micros(column);
    }
    boolean keeps =
        field.dataType().equals(DataTypes.BinaryType)
            || field.dataType().equals(DataTypes.FloatType)
            || field.dataType().equals(DataTypes.DoubleType);
    return keeps ? column : column.cast(DataTypes.StringType);
  }

  private static String shown(Object value) {
    if (value == null) {
      return "NULL";
    }
    if (value instanceof byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }
    if (value instanceof Long micros) {
      return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
    }
    return value.toString();
  }
}
