package io.github.mssqlcdc.sqlserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.ColumnReader;
import io.github.mssqlcdc.type.ReadColumn;
import io.github.mssqlcdc.type.ReadColumns;
import io.github.mssqlcdc.type.RecordingSink;
import io.github.mssqlcdc.type.SqlType;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.TimeZone;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of each type, from the wire through the driver into a sink. */
class ColumnReadersTest {
  private static ScriptedServer server;
  private static Connection connection;

  @BeforeAll
  static void connect() throws Exception {
    server = new ScriptedServer();
    connection = DriverManager.getConnection(server.url(), "reader", "geheim");
  }

  @AfterAll
  static void close() throws Exception {
    connection.close();
    server.close();
  }

  static Stream<Arguments> values() {
    return Stream.of(numbers(), wideNumbers(), times(), instantsOfText(), bytes())
        .flatMap(values -> values);
  }

  private static Stream<Arguments> numbers() {
    return Stream.of(
        value(SqlTypeName.BIT, true, true, 1),
        value(SqlTypeName.TINYINT, 200, (short) 200, 2),
        value(SqlTypeName.SMALLINT, -32768, (short) -32768, 2),
        value(SqlTypeName.INT, Integer.MIN_VALUE, Integer.MIN_VALUE, 4),
        value(SqlTypeName.BIGINT, Long.MIN_VALUE, Long.MIN_VALUE, 8),
        value(SqlTypeName.REAL, 1.5f, 1.5f, 4),
        value(SqlTypeName.FLOAT, 0.1, 0.1, 8),
        value(SqlTypeName.MONEY, new BigDecimal("-0.0001"), new BigDecimal("-0.0001"), 16),
        value(SqlTypeName.SMALLMONEY, new BigDecimal("1.5000"), new BigDecimal("1.5000"), 8),
        value(DataType.decimal(10, 2), null, new BigDecimal("12.30"), new BigDecimal("12.30"), 8),
        value(
            DataType.decimal(38, 38),
            null,
            new BigDecimal("0." + "9".repeat(38)),
            new BigDecimal("0." + "9".repeat(38)),
            16));
  }

  private static Stream<Arguments> wideNumbers() {
    return Stream.of(
        value(DataType.of(SqlTypeName.TINYINT), "BIGINT", 200, 200L, 8),
        value(DataType.of(SqlTypeName.SMALLINT), "INT", -5, -5, 4),
        value(DataType.of(SqlTypeName.INT), "DOUBLE", 7, 7.0, 8),
        value(DataType.of(SqlTypeName.REAL), "DOUBLE", 1.5f, 1.5, 8),
        value(
            DataType.decimal(10, 2),
            "DECIMAL(12,4)",
            new BigDecimal("12.30"),
            new BigDecimal("12.3000"),
            8),
        value(
            DataType.of(SqlTypeName.DATE),
            "TIMESTAMP_NTZ",
            LocalDate.of(1970, 1, 3),
            2 * 86_400_000_000L,
            8));
  }

  private static Stream<Arguments> times() {
    return Stream.of(
        value(SqlTypeName.DATE, LocalDate.of(1, 1, 1), -719_162, 4),
        value(
            scaled(SqlTypeName.DATETIME2, 7),
            null,
            LocalDateTime.parse("1969-12-31T23:59:59.9999999"),
            -1L,
            8),
        value(SqlTypeName.DATETIME, LocalDateTime.parse("1970-01-01T00:00:00.003"), 3_000L, 8),
        value(SqlTypeName.SMALLDATETIME, LocalDateTime.parse("1970-01-01T00:01"), 60_000_000L, 8),
        // the zone of the test JVM skips this hour in spring
        value(
            scaled(SqlTypeName.DATETIME2, 7),
            null,
            LocalDateTime.parse("2026-03-08T02:30:00.1234567"),
            1_772_937_000_123_456L,
            8),
        value(
            scaled(SqlTypeName.DATETIMEOFFSET, 7),
            null,
            OffsetDateTime.parse("1970-01-01T13:50:00-03:00"),
            60_600_000_000L,
            8),
        value(
            scaled(SqlTypeName.TIME, 7),
            null,
            LocalTime.parse("13:50:01.1234567"),
            "13:50:01.123456700",
            18),
        value(
            scaled(SqlTypeName.TIME, 7),
            null,
            LocalTime.parse("23:59:59.9999999"),
            "23:59:59.999999900",
            18));
  }

  /** A text's instant is its own offset's, whatever the zone of the JVM or the session. */
  private static Stream<Arguments> instantsOfText() {
    DataType text = DataType.of(SqlTypeName.NVARCHAR, 40);
    return Stream.of(
        value(text, "TIMESTAMP", "1970-01-01T13:50-03:00", 60_600_000_000L, 8),
        value(text, "TIMESTAMP", "1970-01-01 13:50:00.1234567 -03:00", 60_600_123_456L, 8),
        value(text, "TIMESTAMP", "1969-12-31T23:59:59.9999999Z", -1L, 8),
        value(text, "TIMESTAMP", "1970-01-01T00:00:01+0000", 1_000_000L, 8),
        value(
            DataType.of(SqlTypeName.CHAR, 22),
            "TIMESTAMP",
            "0001-01-01T00:00:00Z  ",
            -62_135_596_800_000_000L,
            8));
  }

  private static Stream<Arguments> bytes() {
    byte[] binary = {0, (byte) 0xFF, 1};
    return Stream.of(
        value(DataType.of(SqlTypeName.NVARCHAR, 10), null, "Ωa😀", "Ωa😀", 7),
        value(DataType.of(SqlTypeName.VARCHAR, DataType.MAX), null, "", "", 0),
        value(DataType.of(SqlTypeName.CHAR, 4), null, "ab  ", "ab  ", 4),
        value(DataType.of(SqlTypeName.VARCHAR, 10), null, "café", "café", 5),
        value(SqlTypeName.TEXT, "naïve", "naïve", 6),
        value(SqlTypeName.NTEXT, "Ω", "Ω", 2),
        value(SqlTypeName.XML, "<a>Ω</a>", "<a>Ω</a>", 9),
        value(DataType.of(SqlTypeName.VARBINARY, 10), null, binary, binary, 3),
        value(SqlTypeName.ROWVERSION, new byte[8], new byte[8], 8),
        value(
            SqlTypeName.UNIQUEIDENTIFIER,
            UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"),
            "00112233-4455-6677-8899-AABBCCDDEEFF",
            36));
  }

  @ParameterizedTest
  @MethodSource("values")
  void aValueReachesTheSinkWithItsSize(
      DataType type, @Nullable String declared, Object sent, Object expected, int size)
      throws Exception {
    server.on("SELECT c", ScriptedServer.rows(List.of(type), List.of(row(sent), row(null))));
    List<CapturedColumn> captured = List.of(new CapturedColumn("c", 1, 1, sqlType(type)));
    ReadColumn column =
        (declared == null
                ? ReadColumns.inferred(captured)
                : ReadColumns.declared(captured, "c " + declared))
            .get(0);
    RecordingSink sink = new RecordingSink();

    try (PreparedStatement statement = connection.prepareStatement("SELECT c");
        ResultSet rows = statement.executeQuery()) {
      ColumnReader reader = column.reader().in(rows.getMetaData(), 1);
      rows.next();
      assertThat(reader.read(rows, 1, sink)).isEqualTo(size);
      rows.next();
      assertThat(reader.read(rows, 1, sink)).isEqualTo(ColumnReader.ABSENT);
    }

    Object value = expected instanceof String text ? text.getBytes(UTF_8) : expected;
    assertThat(sink.values()).singleElement().isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-02-28T13:50:00",
        "2026-02-28",
        "13:50-03:00",
        "2026-02-30T13:50-03:00",
        "2026-02-28T13:50 Europe/Berlin",
        ""
      })
  void textThatIsNoInstantIsAnErrorWithColumnAndValue(String value) throws Exception {
    DataType type = DataType.of(SqlTypeName.NVARCHAR, 40);
    server.on("SELECT c", ScriptedServer.row(List.of(type), value));
    ColumnReader reader =
        ReadColumns.declared(
                List.of(new CapturedColumn("sent at", 1, 1, sqlType(type))), "`sent at` TIMESTAMP")
            .get(0)
            .reader();

    try (PreparedStatement statement = connection.prepareStatement("SELECT c");
        ResultSet rows = statement.executeQuery()) {
      rows.next();
      assertThatThrownBy(() -> reader.read(rows, 1, new RecordingSink()))
          .isInstanceOf(CdcException.class)
          .hasMessageStartingWith("Cannot read '" + value + "' of column 'sent at' as TIMESTAMP")
          .hasMessageContaining("'columns'");
    }
  }

  /** Zones that have skipped hours, whole days, or half minutes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "UTC",
        "America/New_York",
        "Europe/Berlin",
        "Asia/Kathmandu",
        "Pacific/Apia",
        "Africa/Monrovia"
      })
  void timesAreTheSameInEveryZoneOfTheJvm(String zone) throws Exception {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone(zone));
    try {
      for (String date :
          List.of(
              "0001-01-01",
              "1582-10-04",
              "1582-10-15",
              "1900-01-01",
              "1972-01-07",
              "2011-12-30",
              "2026-03-08",
              "2026-03-29",
              "9999-12-31")) {
        LocalDateTime time = LocalDateTime.parse(date + "T02:30:00.1234567");
        long micros = time.toEpochSecond(ZoneOffset.UTC) * 1_000_000 + 123_456;
        assertThat(
                read(
                    List.of(
                        DataType.of(SqlTypeName.DATE),
                        scaled(SqlTypeName.DATETIME2, 7),
                        scaled(SqlTypeName.DATETIMEOFFSET, 7)),
                    time.toLocalDate(),
                    time,
                    time.atOffset(ZoneOffset.UTC)))
            .as(date)
            .containsExactly((int) time.toLocalDate().toEpochDay(), micros, micros);
      }
    } finally {
      TimeZone.setDefault(before);
    }
  }

  /** A row's values as their readers hand them on. */
  private static List<@Nullable Object> read(List<DataType> types, Object... values)
      throws Exception {
    server.on("SELECT c", ScriptedServer.row(types, values));
    RecordingSink sink = new RecordingSink();
    try (PreparedStatement statement = connection.prepareStatement("SELECT c");
        ResultSet rows = statement.executeQuery()) {
      rows.next();
      for (int i = 0; i < types.size(); i++) {
        CapturedColumn column = new CapturedColumn("c", 1, 1, sqlType(types.get(i)));
        ReadColumns.inferred(List.of(column))
            .get(0)
            .reader()
            .in(rows.getMetaData(), i + 1)
            .read(rows, i + 1, sink);
      }
    }
    return sink.values();
  }

  private static @Nullable Object[] row(@Nullable Object value) {
    return new @Nullable Object[] {value};
  }

  private static Arguments value(SqlTypeName type, Object sent, Object expected, int size) {
    return value(DataType.of(type), null, sent, expected, size);
  }

  private static Arguments value(
      DataType type, @Nullable String declared, Object sent, Object expected, int size) {
    return Arguments.of(type, declared, sent, expected, size);
  }

  private static DataType scaled(SqlTypeName name, int scale) {
    return new DataType(name, 0, 0, scale, null);
  }

  private static SqlType sqlType(DataType type) {
    return new SqlType(type.name().name(), type.length(), type.precision(), type.scale());
  }
}
