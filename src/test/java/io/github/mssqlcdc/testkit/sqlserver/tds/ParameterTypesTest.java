package io.github.mssqlcdc.testkit.sqlserver.tds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.microsoft.sqlserver.jdbc.SQLServerPreparedStatement;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.Request;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink.StatementKind;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Parameters from the driver's setters to what the backend gets. */
class ParameterTypesTest {
  private TdsTestServer tds;
  private Connection connection;

  @FunctionalInterface
  private interface Setter {
    void set(SQLServerPreparedStatement statement) throws SQLException;
  }

  @BeforeEach
  void connect() throws Exception {
    tds = new TdsTestServer();
    connection = tds.connect();
    tds.backend.on("q @P0", (request, sink, cancelled) -> sink.done(StatementKind.OTHER, -1));
  }

  @AfterEach
  void close() throws Exception {
    connection.close();
    tds.close();
  }

  @Test
  void numbersArriveWithDeclaredTypes() throws Exception {
    check(s -> s.setBoolean(1, true), DataType.of(SqlTypeName.BIT), true);
    check(s -> s.setShort(1, Short.MIN_VALUE), DataType.of(SqlTypeName.SMALLINT), -32768);
    check(s -> s.setByte(1, (byte) 200), DataType.of(SqlTypeName.TINYINT), 200);
    check(s -> s.setInt(1, Integer.MIN_VALUE), DataType.of(SqlTypeName.INT), Integer.MIN_VALUE);
    check(s -> s.setLong(1, Long.MIN_VALUE), DataType.of(SqlTypeName.BIGINT), Long.MIN_VALUE);
    check(s -> s.setFloat(1, 1.5f), DataType.of(SqlTypeName.FLOAT), 1.5);
    check(s -> s.setDouble(1, 0.1), DataType.of(SqlTypeName.FLOAT), 0.1);
    BigDecimal widest = new BigDecimal("-" + "9".repeat(36) + ".99");
    check(s -> s.setBigDecimal(1, widest), DataType.decimal(38, 2), widest);
    check(
        s -> s.setBigDecimal(1, new BigDecimal("0." + "9".repeat(38))),
        DataType.decimal(38, 38),
        new BigDecimal("0." + "9".repeat(38)));
    BigDecimal money = new BigDecimal("-922337203685477.5808");
    check(s -> s.setMoney(1, money), DataType.of(SqlTypeName.MONEY), money);
    BigDecimal small = new BigDecimal("-214748.3648");
    check(s -> s.setSmallMoney(1, small), DataType.of(SqlTypeName.MONEY), small);
  }

  @Test
  void textsAndBytesArriveShortAndLong() throws Exception {
    DataType nvarchar = DataType.of(SqlTypeName.NVARCHAR, 4000);
    DataType nvarcharMax = DataType.of(SqlTypeName.NVARCHAR, DataType.MAX);
    check(s -> s.setString(1, "ώ😀 "), nvarchar, "ώ😀 ");
    check(s -> s.setString(1, ""), nvarchar, "");
    check(s -> s.setNString(1, "\uD83D"), nvarchar, "\uD83D");
    String million = "Ωx".repeat(500_000);
    check(s -> s.setString(1, million), nvarcharMax, million);
    check(s -> s.setCharacterStream(1, new StringReader(million)), nvarcharMax, million);
    DataType varbinary = DataType.of(SqlTypeName.VARBINARY, 8000);
    check(s -> s.setBytes(1, new byte[] {0, -1}), varbinary, new byte[] {0, -1});
    check(s -> s.setBytes(1, new byte[0]), varbinary, new byte[0]);
    DataType varbinaryMax = DataType.of(SqlTypeName.VARBINARY, DataType.MAX);
    byte[] large = new byte[100_000];
    large[99_999] = 7;
    check(s -> s.setBytes(1, large), varbinaryMax, large);
    check(
        s -> s.setBinaryStream(1, new ByteArrayInputStream(large), large.length),
        varbinaryMax,
        large);
  }

  @Test
  void timesArriveWithAllDigits() throws Exception {
    DataType datetime2 = new DataType(SqlTypeName.DATETIME2, 0, 0, 7, null);
    LocalDateTime last = LocalDateTime.parse("9999-12-31T23:59:59.9999999");
    LocalDateTime first = LocalDateTime.parse("0001-01-01T00:00");
    check(s -> s.setObject(1, last), datetime2, last);
    check(s -> s.setObject(1, first), datetime2, first);
    LocalDateTime gap = LocalDateTime.parse("2024-03-10T02:30");
    check(s -> s.setObject(1, gap), datetime2, gap);
    Timestamp timestamp = Timestamp.valueOf("2024-06-01 12:00:00.1234567");
    check(s -> s.setTimestamp(1, timestamp), datetime2, timestamp.toLocalDateTime());
    LocalDate date = LocalDate.of(1, 1, 1);
    check(s -> s.setObject(1, date), DataType.of(SqlTypeName.DATE), date);
    OffsetDateTime moment = OffsetDateTime.parse("2024-07-01T01:00:00.1234567-05:30");
    DataType datetimeoffset = new DataType(SqlTypeName.DATETIMEOFFSET, 0, 0, 7, null);
    check(s -> s.setObject(1, moment), datetimeoffset, moment);
    Timestamp tick = Timestamp.valueOf("2024-06-01 12:00:00.003");
    check(s -> s.setDateTime(1, tick), datetime2, tick.toLocalDateTime());
    LocalDateTime minute = LocalDateTime.parse("2024-06-01T12:01");
    check(s -> s.setSmallDateTime(1, Timestamp.valueOf(minute)), datetime2, minute);
  }

  @Test
  void timesOfDayArriveAsTimeOrAsTheDriversDatetime() throws Exception {
    LocalTime latest = LocalTime.parse("23:59:59.9999999");
    try (Connection exact = tds.connect("encrypt=false;databaseName=db;sendTimeAsDatetime=false");
        PreparedStatement statement = exact.prepareStatement("q ?")) {
      statement.setObject(1, latest);
      statement.execute();
    }
    assertThat(lastParameter().type()).isEqualTo(new DataType(SqlTypeName.TIME, 0, 0, 7, null));
    assertThat(lastParameter().value()).isEqualTo(latest);
    check(
        s -> s.setObject(1, LocalTime.parse("23:59:59.003")),
        DataType.of(SqlTypeName.DATETIME),
        LocalDateTime.parse("1970-01-01T23:59:59.003"));
  }

  @Test
  void timestampsArriveAsDatetimeIfTheConnectionSaysSo() throws Exception {
    try (Connection old =
            tds.connect("encrypt=false;databaseName=db;datetimeParameterType=datetime");
        PreparedStatement statement = old.prepareStatement("q ?")) {
      for (String time : List.of("1753-01-01 00:00:00", "9999-12-31 23:59:59.997")) {
        statement.setTimestamp(1, Timestamp.valueOf(time));
        statement.execute();
        assertThat(lastParameter().type()).isEqualTo(DataType.of(SqlTypeName.DATETIME));
        assertThat(lastParameter().value()).isEqualTo(Timestamp.valueOf(time).toLocalDateTime());
      }
    }
  }

  @Test
  void uuidsArriveInOrder() throws Exception {
    UUID uuid = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
    DataType type = DataType.of(SqlTypeName.UNIQUEIDENTIFIER);
    check(s -> s.setObject(1, uuid), type, uuid);
    check(s -> s.setUniqueIdentifier(1, uuid.toString()), type, uuid);
  }

  @Test
  void nullsOfEveryKindArriveAsNull() throws Exception {
    for (int type :
        new int[] {
          Types.BIT,
          Types.TINYINT,
          Types.SMALLINT,
          Types.INTEGER,
          Types.BIGINT,
          Types.REAL,
          Types.DOUBLE,
          Types.DECIMAL,
          Types.DATE,
          Types.TIME,
          Types.TIMESTAMP,
          Types.CHAR,
          Types.VARCHAR,
          Types.NVARCHAR,
          Types.LONGNVARCHAR,
          Types.BINARY,
          Types.VARBINARY,
          Types.LONGVARBINARY,
          Types.TIMESTAMP_WITH_TIMEZONE,
          microsoft.sql.Types.DATETIMEOFFSET,
          microsoft.sql.Types.GUID,
          microsoft.sql.Types.MONEY,
          microsoft.sql.Types.DATETIME
        }) {
      assertThat(sent(s -> s.setNull(1, type)).value()).as("type %d", type).isNull();
    }
    assertThat(sent(s -> s.setString(1, null)).value()).isNull();
    assertThat(sent(s -> s.setBytes(1, null)).value()).isNull();
    assertThat(sent(s -> s.setObject(1, null)).value()).isNull();
  }

  @Test
  void varcharParametersComeInTheDatabasesCodePage() throws Exception {
    try (Connection ansi =
            tds.connect("encrypt=false;databaseName=db;sendStringParametersAsUnicode=false");
        PreparedStatement statement = ansi.prepareStatement("q ?")) {
      statement.setString(1, "é€");
      statement.execute();
      assertThat(lastParameter().value()).isEqualTo("é€");
      assertThat(lastParameter().type()).isEqualTo(DataType.of(SqlTypeName.VARCHAR, 8000));
    }
  }

  @Test
  void severalParametersAreBoundByPosition() throws Exception {
    try (PreparedStatement statement = connection.prepareStatement("q ?,?,?")) {
      statement.setInt(1, 1);
      statement.setString(2, "two, (or) @P1 int");
      statement.setNull(3, Types.INTEGER);
      statement.execute();
    }
    Request.Parameterized request =
        (Request.Parameterized) tds.backend.requests.get(tds.backend.requests.size() - 1);
    assertThat(request.sql()).isEqualTo("q @P0,@P1,@P2");
    assertThat(request.parameters())
        .containsExactly(
            new Request.Parameter("@P0", DataType.of(SqlTypeName.INT), 1, false),
            new Request.Parameter(
                "@P1", DataType.of(SqlTypeName.NVARCHAR, 4000), "two, (or) @P1 int", false),
            new Request.Parameter("@P2", DataType.of(SqlTypeName.INT), null, false));
  }

  @Test
  void declarationsAreReadInAllTheirForms() throws Exception {
    assertThat(
            Declarations.parse(
                " @a [int] , @b varchar(max) OUTPUT,@c DECIMAL ( 38 , 2 ) out,@d as sysname,"
                    + "@e float(24),@f float(53),@g dec,@h char,@i datetime2(3),@j timestamp"))
        .extracting(declaration -> declaration.name() + " " + declaration.type())
        .containsExactly(
            "@a " + DataType.of(SqlTypeName.INT),
            "@b " + DataType.of(SqlTypeName.VARCHAR, DataType.MAX),
            "@c " + DataType.decimal(38, 2),
            "@d " + DataType.of(SqlTypeName.NVARCHAR, 128),
            "@e " + DataType.of(SqlTypeName.REAL),
            "@f " + DataType.of(SqlTypeName.FLOAT),
            "@g " + DataType.decimal(18, 0),
            "@h " + DataType.of(SqlTypeName.CHAR, 1),
            "@i " + new DataType(SqlTypeName.DATETIME2, 0, 0, 3, null),
            "@j " + DataType.of(SqlTypeName.ROWVERSION));
    assertThatThrownBy(() -> Declarations.parse("@a int,@b sql_variant"))
        .hasMessage("Column, parameter, or variable #2: Cannot find data type sql_variant.");
    assertThatThrownBy(() -> Declarations.parse("@a int @b int"))
        .hasMessageContaining("Incorrect syntax near");
  }

  private void check(Setter setter, DataType type, Object value) throws Exception {
    Request.Parameter parameter = sent(setter);
    assertThat(parameter.name()).isEqualTo("@P0");
    assertThat(parameter.type()).isEqualTo(type);
    assertThat(parameter.value()).isEqualTo(value);
  }

  private Request.Parameter sent(Setter setter) throws Exception {
    try (PreparedStatement statement = connection.prepareStatement("q ?")) {
      setter.set((SQLServerPreparedStatement) statement);
      statement.execute();
    }
    return lastParameter();
  }

  private Request.Parameter lastParameter() {
    List<Request> requests = tds.backend.requests;
    return ((Request.Parameterized) requests.get(requests.size() - 1)).parameters().get(0);
  }
}
