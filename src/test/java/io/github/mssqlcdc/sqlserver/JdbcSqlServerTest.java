package io.github.mssqlcdc.sqlserver;

import static io.github.mssqlcdc.sqlserver.ScriptedServer.error;
import static io.github.mssqlcdc.sqlserver.ScriptedServer.row;
import static io.github.mssqlcdc.sqlserver.ScriptedServer.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcError;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.MissingGrantException;
import io.github.mssqlcdc.error.SourceBehindException;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.ScriptedServer.Answer;
import io.github.mssqlcdc.testkit.source.OpenRows;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.type.SelectColumn;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the client does with the server's answers, met through the real driver. */
@Timeout(120)
class JdbcSqlServerTest {
  private static final DataType LSN = DataType.of(SqlTypeName.BINARY, 10);
  private static final DataType INT = DataType.of(SqlTypeName.INT);
  private static final DataType BIGINT = DataType.of(SqlTypeName.BIGINT);
  private static final DataType BIT = DataType.of(SqlTypeName.BIT);
  private static final DataType TIME = DataType.of(SqlTypeName.DATETIME);
  private static final DataType TEXT = DataType.of(SqlTypeName.NVARCHAR, 128);
  private static final CaptureInstance ORDERS =
      new CaptureInstance(
          "dbo_orders", "dbo", "orders", 1, 2, lsn(1), LocalDateTime.MIN, List.of("id"));
  private static final String MAX_LSN = "AS server_now;";

  private final ScriptedServer server = new ScriptedServer();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void aCallIsOneRoundTripAndNothingElseOnAWarmConnection() {
    server.on(MAX_LSN, max(lsn(7).bytes()));
    SqlServer client = connect();

    assertThat(client.maxLsn()).contains(lsn(7));
    assertThat(client.maxLsn()).contains(lsn(7));

    assertThat(server.requests).hasSize(2);
    assertThat(server.logins).hasValue(1);
  }

  @Test
  void anEmptyMapHasNoMaxLsn() {
    server.on(MAX_LSN, max(null));

    assertThat(connect().maxLsn()).isEmpty();
  }

  @Test
  void aDeadlockVictimIsAskedAgainOnANewConnection() {
    server.on(MAX_LSN, error(1205, 13, "deadlock"), max(lsn(7).bytes()));

    assertThat(connect().maxLsn()).contains(lsn(7));

    assertThat(server.logins).hasValue(2);
  }

  @Test
  void afterThreeRetriesTheServersErrorIsRaised() {
    server.on(MAX_LSN, error(1205, 13, "deadlock"));

    assertThatThrownBy(connect()::maxLsn)
        .isInstanceOf(CdcException.class)
        .hasMessageStartingWith("Failed to read max LSN: deadlock")
        .hasMessageContaining("(error 1205; server localhost:")
        .extracting(failure -> ((CdcError) failure).code())
        .isEqualTo(ErrorCode.SOURCE_FAILED);
    assertThat(server.logins).hasValue(4);
  }

  @Test
  void aBrokenConnectionIsReplaced() {
    server.on(MAX_LSN, max(lsn(7).bytes()));
    SqlServer client = connect();
    client.maxLsn();

    server.disconnectAll();

    assertThat(client.maxLsn()).contains(lsn(7));
    assertThat(server.logins).hasValue(2);
  }

  @Test
  void aRefusedLoginIsOneClearErrorWithoutThePassword() {
    SqlServer client = connect("password", "falsch");

    assertThatThrownBy(client::maxLsn)
        .isInstanceOf(CdcException.class)
        .hasMessageStartingWith("Cannot log in (server localhost:")
        .hasMessageContaining("database shop, user reader): the login was refused. Check options")
        .hasMessageNotContaining("falsch")
        .extracting(failure -> ((CdcError) failure).code())
        .isEqualTo(ErrorCode.CONNECTION_FAILED);
    assertThat(server.logins).hasValue(1);
  }

  @Test
  void aServerThatIsNotThereIsOneClearError() {
    server.close();

    assertThatThrownBy(connect("jdbc.connectRetryCount", "0")::maxLsn)
        .isInstanceOf(CdcException.class)
        .hasMessageStartingWith("Cannot connect (server localhost:")
        .hasMessageContaining("Check host, port and encryption in option 'url'");
  }

  @Test
  void aDatabaseWithoutCdcSaysHowToEnableIt() {
    server.on("sp_cdc_help_change_data_capture", error(22901, 16, "The database is not enabled"));

    assertThatThrownBy(() -> connect().captureInstance("dbo_orders"))
        .isInstanceOf(CdcException.class)
        .hasMessageContaining("change data capture is not enabled")
        .hasMessageContaining("EXEC sys.sp_cdc_enable_db");
  }

  @Test
  void partitionsMayBeSwitchedWhereTheTableHasThemUnlessTheInstanceIsKnownToForbidIt() {
    server.on("partition_ordinal", rows(List.of(INT), List.of()), row(List.of(INT), 1));
    server.on(
        "partition_switch",
        error(229, 14, "The SELECT permission was denied on the object 'change_tables'"),
        row(List.of(BIT), true),
        row(List.of(BIT), false));
    SqlServer client = connect();

    assertThat(client.maySwitchPartitions(ORDERS)).as("not partitioned").isFalse();
    assertThat(client.maySwitchPartitions(ORDERS)).as("not told").isTrue();
    assertThat(client.maySwitchPartitions(ORDERS)).as("allowed").isTrue();
    assertThat(client.maySwitchPartitions(ORDERS)).as("forbidden").isFalse();
  }

  @Test
  void aMissingTableOfCdcAsksWhetherCdcIsEnabled() {
    server.on(MAX_LSN, error(208, 16, "Invalid object name 'cdc.lsn_time_mapping'."));
    server.on("is_cdc_enabled", row(List.of(BIT), false));

    assertThatThrownBy(connect()::maxLsn)
        .isInstanceOf(CdcException.class)
        .hasMessageContaining("EXEC sys.sp_cdc_enable_db");
  }

  @Test
  void aChangeTableThatMayNotBeReadNamesItsGrant() {
    server.on(
        "has_rows", error(229, 14, "A permissão SELECT foi negada no objeto 'dbo_orders_CT'"));
    server.on("HAS_PERMS_BY_NAME", row(List.of(INT), 0));

    assertThatThrownBy(() -> connect().head(ORDERS, lsn(1), HeadLimits.NONE))
        .isInstanceOf(MissingGrantException.class)
        .hasMessageContaining("GRANT SELECT ON [cdc].[dbo_orders_CT]")
        .cause()
        .hasMessageContaining("foi negada");
  }

  @Test
  void aChangeTableThatIsMissingOrReadableLeavesTheErrorAsItIs() {
    server.on("has_rows", error(208, 16, "Invalid object name 'cdc.dbo_orders_CT'."));
    server.on("is_cdc_enabled", row(List.of(BIT), true));
    server.on("HAS_PERMS_BY_NAME", row(List.of(INT), (Object) null));

    assertThatThrownBy(() -> connect().head(ORDERS, lsn(1), HeadLimits.NONE))
        .isExactlyInstanceOf(CdcException.class)
        .hasMessageContaining("Invalid object name 'cdc.dbo_orders_CT'");
  }

  @Test
  void anIdleStreamSendsNothingWhileTheSharedPollIsYoung() {
    server.on(MAX_LSN, max(lsn(7).bytes()));
    SqlServer client = connect(Duration.ofHours(1));
    client.maxLsn();
    server.requests.clear();

    Head head = client.head(ORDERS, lsn(7), HeadLimits.NONE);

    assertThat(head).isEqualTo(new Head(lsn(7), null, false, false, Duration.ZERO));
    assertThat(server.requests).isEmpty();
  }

  @Test
  void aStreamBehindTheSharedPollAsks() {
    LocalDateTime at = LocalDateTime.of(2026, 9, 30, 2, 0);
    server.on(MAX_LSN, max(lsn(7).bytes()));
    server.on(
        "has_rows",
        row(
            List.of(LSN, LSN, TIME, TIME, INT, TIME, INT, TIME, TIME, TIME),
            lsn(7).bytes(),
            lsn(5).bytes(),
            at,
            at.plusMinutes(1),
            1,
            at,
            120,
            at,
            at,
            at));
    SqlServer client = connect(Duration.ofHours(1), "sourceTimeZone", "Europe/Berlin");
    client.maxLsn();

    Head head = client.head(ORDERS, lsn(3), HeadLimits.NONE);

    assertThat(head.end())
        .isEqualTo(new Head.End(new MapEntry(lsn(5), at), at.minusMinutes(119), client.clock()));
    assertThat(head.hasRows()).isTrue();
    assertThat(head.cut()).isTrue();
    assertThat(head.roundTrip()).isPositive();
  }

  @Test
  void aRangeIsReadInOneBatchWithItsMarks() throws Exception {
    server.on("FROM [cdc].[dbo_orders_CT]", range(lsn(9), 100L, 130L));

    try (OpenRows cursor = read()) {
      assertThat(cursor.next()).isTrue();
      assertThat(Lsn.of(cursor.row().getBytes(1))).isEqualTo(lsn(2));
      assertThat(cursor.row().getInt(6)).isEqualTo(0);
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.next()).isFalse();
      assertThat(cursor.tail()).isEqualTo(new RowCursor.Tail(lsn(1), lsn(9), 30L));
    }

    assertThat(server.requests).hasSize(1);
    assertThat(server.cancels).hasValue(0);
  }

  @Test
  void aReadsEndMayHaveNoMaxLsn() throws Exception {
    server.on(
        "FROM [cdc].[dbo_orders_CT]",
        row(List.of(LSN, BIGINT), lsn(9).bytes(), 0L)
            .then(rows(List.of(LSN, INT, LSN, INT, TIME, INT), List.of()))
            .then(row(List.of(LSN, LSN, BIGINT), lsn(1).bytes(), null, 0L)));

    try (OpenRows cursor = read()) {
      assertThat(cursor.next()).isFalse();
      assertThat(cursor.tail().maxLsn()).isNull();
    }
  }

  @Test
  void aServerBehindTheRangeIsFoundBeforeTheFirstRow() {
    server.on("FROM [cdc].[dbo_orders_CT]", range(lsn(4), 0L, 0L));

    assertThatThrownBy(this::read)
        .isInstanceOf(SourceBehindException.class)
        .hasMessageContaining("Cannot read dbo_orders up to " + lsn(5))
        .hasMessageContaining("max LSN is " + lsn(4));
  }

  @Test
  void aServerThatRefusesTheWaitViewIsNotAskedForItAgain() throws Exception {
    server.on(
        "dm_exec_session_wait_stats",
        error(300, 14, "VIEW DATABASE STATE permission was denied in database 'shop'."));
    server.on("CAST(NULL AS bigint) AS wait_ms", range(lsn(9), null, null));
    SqlServer client = connect();

    for (int i = 0; i < 2; i++) {
      try (OpenRows cursor = read(client)) {
        cursor.next();
        cursor.next();
        assertThat(cursor.next()).isFalse();
        assertThat(cursor.tail().networkWaitMs()).isNull();
      }
    }

    assertThat(server.requests).hasSize(3);
  }

  @Test
  void anAbandonedReadIsCancelledOnTheServerAndItsConnectionKept() throws Exception {
    List<Object[]> many = IntStream.range(0, 200_000).mapToObj(JdbcSqlServerTest::change).toList();
    server.on(
        "FROM [cdc].[dbo_orders_CT]",
        row(List.of(LSN, BIGINT), lsn(9).bytes(), 0L)
            .then(rows(List.of(LSN, INT, LSN, INT, TIME, INT), many))
            .then(row(List.of(LSN, LSN, BIGINT), lsn(1).bytes(), lsn(9).bytes(), 0L)));
    server.on(MAX_LSN, max(lsn(9).bytes()));
    SqlServer client = connect();

    try (OpenRows cursor = read(client)) {
      assertThat(cursor.next()).isTrue();
    }

    assertThat(client.maxLsn()).contains(lsn(9));
    assertThat(server.cancels).hasValue(1);
    assertThat(server.logins).hasValue(1);
  }

  @Test
  void aZoneKnownByNameIsReadFromServersThatTellIt() {
    server.on("ProductMajorVersion", row(List.of(INT, INT, INT), 16, 3, -180));
    server.on("CURRENT_TIMEZONE_ID", row(List.of(TEXT), "E. South America Standard Time"));
    SqlServer client = connect();

    assertThat(client.clock().zone()).isEqualTo(ZoneId.of("America/Sao_Paulo"));
    assertThat(client.clock()).isSameAs(client.clock());
    assertThat(server.requests).hasSize(2);
  }

  @Test
  void anOlderServersOffsetIsTakenAndTheNamingFunctionNeverMentioned() {
    server.on("ProductMajorVersion", row(List.of(INT, INT, INT), 15, 3, -180));

    assertThat(connect().clock().zone()).isEqualTo(ZoneOffset.ofHours(-3));
    assertThat(server.requests).hasSize(1).noneMatch(sql -> sql.contains("CURRENT_TIMEZONE_ID"));
  }

  @Test
  void anAzureServerNamesItsZoneWhateverItsVersion() {
    server.on("ProductMajorVersion", row(List.of(INT, INT, INT), 12, 5, 0));
    server.on("CURRENT_TIMEZONE_ID", row(List.of(TEXT), "UTC"));

    assertThat(connect().clock().toUtc(LocalDateTime.of(2026, 7, 1, 12, 0)))
        .isEqualTo(LocalDateTime.of(2026, 7, 1, 12, 0));
  }

  @Test
  void aZoneGivenByNameIsNotAskedFor() {
    SqlServer windows = connect("sourceTimeZone", "W. Europe Standard Time");

    assertThat(windows.clock().zone()).isEqualTo(ZoneId.of("Europe/Berlin"));
    assertThat(connect("sourceTimeZone", "Asia/Tokyo").clock().zone())
        .isEqualTo(ZoneId.of("Asia/Tokyo"));
    assertThat(server.requests).isEmpty();
    assertThatThrownBy(() -> connect("sourceTimeZone", "Mars"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Invalid value 'Mars' of option 'sourceTimeZone'");
  }

  private static Answer range(Lsn maxLsn, @Nullable Long waitBefore, @Nullable Long waitAfter) {
    return row(List.of(LSN, BIGINT), maxLsn.bytes(), waitBefore)
        .then(rows(List.of(LSN, INT, LSN, INT, TIME, INT), List.of(change(0), change(1))))
        .then(row(List.of(LSN, LSN, BIGINT), lsn(1).bytes(), maxLsn.bytes(), waitAfter));
  }

  private static Object[] change(int id) {
    LocalDateTime at = LocalDateTime.of(2026, 9, 30, 2, 0);
    return new Object[] {lsn(2).bytes(), 1, lsn(3).bytes(), 2, at, id};
  }

  private OpenRows read() {
    return read(connect());
  }

  private static OpenRows read(SqlServer client) {
    return OpenRows.of(
        client.readChanges(
            ORDERS, ChangeRange.commits(lsn(1), lsn(5)), SelectColumn.plain(List.of("id"))));
  }

  private SqlServer connect(String... namesAndValues) {
    return connect(Duration.ZERO, namesAndValues);
  }

  private SqlServer connect(Duration pollInterval, String... namesAndValues) {
    return TestClients.connect(server, pollInterval, namesAndValues);
  }

  private static Lsn lsn(int number) {
    return new Lsn(0, number);
  }

  private static Answer max(byte @Nullable [] lsn) {
    LocalDateTime now = LocalDateTime.of(2026, 11, 1, 12, 0);
    return row(List.of(LSN, TIME, TIME), lsn, lsn == null ? null : now, now);
  }
}
