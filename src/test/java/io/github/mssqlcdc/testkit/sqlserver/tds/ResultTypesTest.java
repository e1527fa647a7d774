package io.github.mssqlcdc.testkit.sqlserver.tds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink.StatementKind;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every type, at both ends of its range, from the backend's value to the driver's getter. */
class ResultTypesTest {
  private static final String MILLION = "ώa😀b".repeat(200_000);
  private static final Column ID = new Column("id", DataType.of(SqlTypeName.INT), false);

  private static TdsTestServer tds;
  private static Connection connection;

  record Sample(DataType type, Class<?> getter, String typeName, Object... values) {
    @Override
    public String toString() {
      return type.name() + "(" + type.length() + "," + type.precision() + "," + type.scale() + ")";
    }
  }

  @BeforeAll
  static void connect() throws Exception {
    tds = new TdsTestServer();
    connection = tds.connect();
  }

  @AfterAll
  static void close() throws Exception {
    connection.close();
    tds.close();
  }

  static Stream<Sample> samples() {
    return Stream.of(numbers(), texts(), binaries(), times()).flatMap(samples -> samples);
  }

  private static Stream<Sample> numbers() {
    return Stream.of(
        sample(SqlTypeName.BIT, Boolean.class, "bit", false, true),
        new Sample(DataType.of(SqlTypeName.TINYINT), Short.class, "tinyint", 0, 255),
        new Sample(DataType.of(SqlTypeName.SMALLINT), Short.class, "smallint", -32768, 32767),
        sample(SqlTypeName.INT, Integer.class, "int", Integer.MIN_VALUE, 0, Integer.MAX_VALUE),
        sample(SqlTypeName.BIGINT, Long.class, "bigint", Long.MIN_VALUE, -1L, Long.MAX_VALUE),
        sample(SqlTypeName.REAL, Float.class, "real", -Float.MAX_VALUE, Float.MIN_VALUE, 0f),
        sample(SqlTypeName.FLOAT, Double.class, "float", -Double.MAX_VALUE, 5e-324, 0.1),
        sample(
            SqlTypeName.MONEY,
            BigDecimal.class,
            "money",
            new BigDecimal("-922337203685477.5808"),
            new BigDecimal("922337203685477.5807"),
            new BigDecimal("-0.0001")),
        sample(
            SqlTypeName.SMALLMONEY,
            BigDecimal.class,
            "smallmoney",
            new BigDecimal("-214748.3648"),
            new BigDecimal("214748.3647")),
        decimal(1, 0, "-9", "9"),
        decimal(9, 2, "-9999999.99", "0.00"),
        decimal(19, 4, "999999999999999.9999", "-0.0001"),
        decimal(28, 0, "9".repeat(28), "-1"),
        decimal(38, 38, "0." + "9".repeat(38), "-0." + "9".repeat(38)),
        decimal(38, 0, "9".repeat(38), "-" + "9".repeat(38)),
        new Sample(
            new DataType(SqlTypeName.NUMERIC, 0, 18, 3, null),
            BigDecimal.class,
            "numeric",
            new BigDecimal("123456789012345.678")));
  }

  private static Stream<Sample> texts() {
    return Stream.of(
        text(SqlTypeName.CHAR, 5, null, "char", "ab   ", "abcde"),
        text(SqlTypeName.VARCHAR, 8000, null, "varchar", "", "blank  ", "é€", "x".repeat(8000)),
        text(SqlTypeName.VARCHAR, DataType.MAX, null, "varchar", "", "y".repeat(1_000_000)),
        text(SqlTypeName.VARCHAR, 20, "Greek_CI_AS", "varchar", "Καλημέρα", "ΆΏ"),
        text(SqlTypeName.VARCHAR, 20, "SQL_Latin1_General_CP1253_CI_AS", "varchar", "Καλημέρα"),
        text(SqlTypeName.VARCHAR, 20, "Cyrillic_General_100_CS_AS", "varchar", "Привет"),
        text(SqlTypeName.VARCHAR, 20, "Japanese_CI_AS", "varchar", "日本語"),
        text(SqlTypeName.VARCHAR, 80, "Latin1_General_100_CI_AS_SC_UTF8", "varchar", "ώ😀日"),
        text(SqlTypeName.CHAR, 4, "Latin1_General_100_BIN2_UTF8", "char", "€ "),
        text(SqlTypeName.NCHAR, 3, null, "nchar", "Ω  ", "😀a"),
        text(SqlTypeName.NVARCHAR, 4000, null, "nvarchar", "", " ", "Ω".repeat(4000)),
        text(SqlTypeName.NVARCHAR, DataType.MAX, null, "nvarchar", "", "z", MILLION),
        text(SqlTypeName.TEXT, 0, "Greek_CI_AS", "text", "", "κείμενο", "t".repeat(20_000)),
        text(SqlTypeName.NTEXT, 0, null, "ntext", "", "κείμενο😀"),
        text(SqlTypeName.XML, 0, null, "xml", "<a>ώ</a>", "<b/>"));
  }

  private static Stream<Sample> binaries() {
    return Stream.of(
        binary(SqlTypeName.BINARY, 10, "binary", new byte[10], bytes(10)),
        binary(SqlTypeName.VARBINARY, 8000, "varbinary", new byte[0], bytes(8000)),
        binary(SqlTypeName.VARBINARY, DataType.MAX, "varbinary", new byte[0], bytes(1_000_000)),
        binary(SqlTypeName.IMAGE, 0, "image", new byte[0], bytes(50_000)),
        binary(SqlTypeName.ROWVERSION, 0, "timestamp", bytes(8)),
        new Sample(
            DataType.of(SqlTypeName.UNIQUEIDENTIFIER),
            UUID.class,
            "uniqueidentifier",
            UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"),
            UUID.fromString("ffffffff-ffff-ffff-ffff-ffffffffffff"),
            new UUID(0, 0)));
  }

  private static Stream<Sample> times() {
    List<Sample> samples = new ArrayList<>();
    samples.add(
        sample(
            SqlTypeName.DATE,
            LocalDate.class,
            "date",
            LocalDate.of(1, 1, 1),
            LocalDate.of(1582, 10, 15),
            LocalDate.of(9999, 12, 31)));
    samples.add(
        sample(
            SqlTypeName.DATETIME,
            LocalDateTime.class,
            "datetime",
            LocalDateTime.parse("1753-01-01T00:00"),
            LocalDateTime.parse("2024-02-29T12:00:00.003"),
            LocalDateTime.parse("9999-12-31T23:59:59.997")));
    samples.add(
        sample(
            SqlTypeName.SMALLDATETIME,
            LocalDateTime.class,
            "smalldatetime",
            LocalDateTime.parse("1900-01-01T00:00"),
            LocalDateTime.parse("2079-06-06T23:59")));
    for (int scale = 0; scale <= 7; scale++) {
      String fraction = scale == 0 ? "" : "." + "9".repeat(scale);
      samples.add(
          new Sample(
              new DataType(SqlTypeName.TIME, 0, 0, scale, null),
              LocalTime.class,
              "time",
              LocalTime.MIDNIGHT,
              LocalTime.parse("23:59:59" + fraction)));
      samples.add(
          new Sample(
              new DataType(SqlTypeName.DATETIME2, 0, 0, scale, null),
              LocalDateTime.class,
              "datetime2",
              LocalDateTime.parse("0001-01-01T00:00"),
              LocalDateTime.parse("2024-03-10T02:30:00"),
              LocalDateTime.parse("9999-12-31T23:59:59" + fraction)));
      samples.add(
          new Sample(
              new DataType(SqlTypeName.DATETIMEOFFSET, 0, 0, scale, null),
              OffsetDateTime.class,
              "datetimeoffset",
              OffsetDateTime.parse("0001-01-01T14:00:00+14:00"),
              OffsetDateTime.parse("2024-07-01T01:00:00-05:30"),
              OffsetDateTime.parse("9999-12-31T09:59:59" + fraction + "-14:00")));
    }
    return samples.stream();
  }

  @ParameterizedTest
  @MethodSource("samples")
  void valuesArriveUnchangedBetweenNulls(Sample sample) throws Exception {
    assertThat(read(sample, true)).containsExactlyElementsOf(expected(sample, true));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void valuesArriveUnchangedInNotNullColumns(Sample sample) throws Exception {
    assertThat(read(sample, false)).containsExactlyElementsOf(expected(sample, false));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void metadataTellsTheDeclaredType(Sample sample) throws Exception {
    respond(sample, true);
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("sample")) {
      assertThat(rows.getMetaData().getColumnTypeName(2)).isEqualTo(sample.typeName());
      assertThat(rows.getMetaData().getColumnLabel(2)).isEqualTo("c");
      assertThat(rows.getMetaData().isNullable(1)).isZero();
      assertThat(rows.getMetaData().isNullable(2)).isEqualTo(1);
      if (sample.type().precision() > 0) {
        assertThat(rows.getMetaData().getPrecision(2)).isEqualTo(sample.type().precision());
      }
      assertThat(rows.getMetaData().getScale(2)).isEqualTo(scaleToldFor(sample.type()));
      if (sample.type().length() > 0) {
        assertThat(rows.getMetaData().getPrecision(2)).isEqualTo(sample.type().length());
      }
    }
  }

  @Test
  void nullsArriveByRowAndByBitmapAcrossManyColumns() throws Exception {
    List<Column> columns = new ArrayList<>();
    for (Sample sample : samples().toList()) {
      columns.add(new Column("c" + columns.size(), sample.type(), true));
    }
    Object[] one = new Object[columns.size()];
    Object[] most = samples().map(sample -> sample.values()[0]).toArray();
    one[columns.size() - 1] = most[columns.size() - 1];
    tds.backend.on(
        "wide",
        (request, sink, cancelled) -> {
          sink.columns(columns);
          sink.row(new Object[columns.size()]);
          sink.row(one);
          sink.row(most.clone());
          most[3] = null;
          sink.row(most);
          sink.done(StatementKind.SELECT, 4);
        });
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("wide")) {
      assertThat(nullPattern(rows, columns.size())).isEqualTo("1".repeat(columns.size()));
      assertThat(nullPattern(rows, columns.size())).isEqualTo("1".repeat(columns.size() - 1) + "0");
      assertThat(nullPattern(rows, columns.size())).isEqualTo("0".repeat(columns.size()));
      assertThat(nullPattern(rows, columns.size()))
          .isEqualTo("0001" + "0".repeat(columns.size() - 4));
      assertThat(rows.next()).isFalse();
    }
  }

  @Test
  void rawBytesAreThoseOfTheWire() throws Exception {
    tds.backend.on(
        "raw",
        (request, sink, cancelled) -> {
          sink.columns(
              List.of(
                  new Column("u", DataType.of(SqlTypeName.UNIQUEIDENTIFIER), true),
                  new Column("v", new DataType(SqlTypeName.VARCHAR, 9, 0, 0, "Greek_CI_AS"), true),
                  new Column("n", DataType.of(SqlTypeName.NVARCHAR, 9), true)));
          sink.row(
              new Object[] {
                UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"), "Ω", "\uD83D"
              });
          sink.done(StatementKind.SELECT, 1);
        });
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("raw")) {
      rows.next();
      assertThat(rows.getBytes(1)).asHexString().isEqualTo("33221100554477668899AABBCCDDEEFF");
      assertThat(rows.getBytes(2)).isEqualTo("Ω".getBytes("windows-1253"));
      assertThat(rows.getBytes(3)).isEqualTo(new byte[] {0x3D, (byte) 0xD8});
      assertThat(rows.getMetaData().getColumnType(1)).isEqualTo(Types.CHAR);
    }
  }

  private static int scaleToldFor(DataType type) {
    return switch (type.name()) {
      case MONEY, SMALLMONEY -> 4;
      case DATETIME -> 3;
      default -> type.scale();
    };
  }

  private static String nullPattern(ResultSet rows, int columns) throws Exception {
    assertThat(rows.next()).isTrue();
    StringBuilder pattern = new StringBuilder();
    for (int i = 1; i <= columns; i++) {
      pattern.append(rows.getObject(i) == null ? '1' : '0');
    }
    return pattern.toString();
  }

  private static List<Object> expected(Sample sample, boolean nullable) {
    List<Object> values = new ArrayList<>();
    for (Object value : sample.values()) {
      values.add(sample.getter() == Short.class ? ((Integer) value).shortValue() : value);
      if (nullable) {
        values.add(null);
      }
    }
    return values;
  }

  private static List<Object> read(Sample sample, boolean nullable) throws Exception {
    respond(sample, nullable);
    List<Object> values = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("sample")) {
      int id = 0;
      while (rows.next()) {
        assertThat(rows.getInt(1)).isEqualTo(id++);
        Object value = value(rows, sample.getter());
        values.add(rows.wasNull() ? null : value);
      }
    }
    return values;
  }

  private static Object value(ResultSet rows, Class<?> getter) throws Exception {
    return getter == byte[].class ? rows.getBytes(2) : rows.getObject(2, getter);
  }

  private static void respond(Sample sample, boolean nullable) {
    tds.backend.on(
        "sample",
        (request, sink, cancelled) -> {
          sink.columns(List.of(ID, new Column("c", sample.type(), nullable)));
          int id = 0;
          for (Object value : sample.values()) {
            sink.row(new Object[] {id++, value});
            if (nullable) {
              sink.row(new Object[] {id++, null});
            }
          }
          sink.done(StatementKind.SELECT, id);
        });
  }

  private static Sample sample(
      SqlTypeName name, Class<?> getter, String typeName, Object... values) {
    return new Sample(DataType.of(name), getter, typeName, values);
  }

  private static Sample decimal(int precision, int scale, String... values) {
    return new Sample(
        DataType.decimal(precision, scale),
        BigDecimal.class,
        "decimal",
        Stream.of(values).map(BigDecimal::new).toArray());
  }

  private static Sample text(
      SqlTypeName name, int length, String collation, String typeName, Object... values) {
    return new Sample(new DataType(name, length, 0, 0, collation), String.class, typeName, values);
  }

  private static Sample binary(SqlTypeName name, int length, String typeName, Object... values) {
    return new Sample(DataType.of(name, length), byte[].class, typeName, values);
  }

  private static byte[] bytes(int count) {
    return "\u0001\u007F".repeat(count).substring(0, count).getBytes(StandardCharsets.ISO_8859_1);
  }
}
