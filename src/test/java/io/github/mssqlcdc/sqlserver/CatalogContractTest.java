package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.testkit.contract.TestLogin;
import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.SqlType;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CatalogContractTest {
  private final ClientFixture fixture = new ClientFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void anInstanceIsFoundIgnoringCaseWithItsTableAndKey() {
    CaptureInstance instance = fixture.client.captureInstance("DBO_Orders");

    assertThat(instance.name()).isEqualTo("dbo_orders");
    assertThat(instance.sourceSchema()).isEqualTo("dbo");
    assertThat(instance.sourceTable()).isEqualTo("orders");
    assertThat(instance.keyColumns()).containsExactly("id");
    assertThat(instance.startLsn()).isNotNull();
    assertThat(List.of(List.<Object>of(instance.changeTableId(), instance.sourceTableId())))
        .isEqualTo(
            fixture.database.query(
                "SELECT OBJECT_ID(N'cdc.dbo_orders_CT'), OBJECT_ID(N'dbo.orders')"));
  }

  @Test
  void anUnknownInstanceListsWhatMayBeMeant() {
    assertThatThrownBy(() -> fixture.client.captureInstance("Orders"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith("Unknown capture instance 'Orders'")
        .hasMessageEndingWith("Set option 'captureInstance' to one of dbo_orders")
        .extracting(failure -> ((InvalidRequestException) failure).code())
        .isEqualTo(ErrorCode.UNKNOWN_CAPTURE_INSTANCE);
  }

  @Test
  void anInstanceLikeNoOtherListsNone() {
    assertThatThrownBy(() -> fixture.client.captureInstance("invoices"))
        .hasMessageNotContaining("dbo_orders");
  }

  @Test
  void namesThatDifferInCaseOnlyNeedTheExactOne() {
    fixture.commit(
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
            + " @role_name = NULL, @capture_instance = N'ORDERS_2'");

    assertThat(fixture.client.captureInstance("orders_2").name()).isEqualTo("ORDERS_2");
    assertThat(fixture.client.captureInstance("dbo_orders").name()).isEqualTo("dbo_orders");
  }

  @Test
  void aTableWithoutAKeyHasNoKeyColumns() {
    fixture.commit(
        "CREATE TABLE dbo.[odd ]]name] ([a, b] int NULL)",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'odd ]name',"
            + " @role_name = NULL, @capture_instance = N'odd ]instance'");

    CaptureInstance odd = fixture.client.captureInstance("odd ]instance");

    assertThat(odd.keyColumns()).isEmpty();
    assertThat(fixture.client.capturedColumns(odd))
        .extracting(CapturedColumn::name)
        .containsExactly("a, b");
  }

  @Test
  void capturedColumnsHaveTheirTypesAsDeclared() {
    fixture.commit(
        "CREATE TABLE dbo.types (k bigint NOT NULL PRIMARY KEY, d decimal(18, 4),"
            + " t datetime2(3), o datetimeoffset(7), v varchar(20), n nvarchar(max), b binary(16),"
            + " m money, f float, g uniqueidentifier)",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'types',"
            + " @role_name = NULL");

    List<CapturedColumn> columns =
        fixture.client.capturedColumns(fixture.client.captureInstance("dbo_types"));

    assertThat(columns).extracting(CapturedColumn::ordinal).isSorted().startsWith(1);
    assertThat(columns)
        .extracting(column -> column.name() + " " + describe(column.type()))
        .containsExactly(
            "k bigint",
            "d decimal(18,4)",
            "t datetime2(3)",
            "o datetimeoffset(7)",
            "v varchar[20]",
            "n nvarchar[-1]",
            "b binary[16]",
            "m money",
            "f float",
            "g uniqueidentifier");
  }

  @Test
  void aColumnTellsWhatHasBecomeOfItOnTheTable() {
    fixture.commit(
        "CREATE TABLE dbo.past (k int NOT NULL PRIMARY KEY, gone int, again nvarchar(5),"
            + " [Stays] nvarchar(7) COLLATE Greek_CI_AS, twice AS (k * 2))",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'past',"
            + " @role_name = NULL",
        "ALTER TABLE dbo.past DROP COLUMN gone, again",
        "ALTER TABLE dbo.past ADD again nvarchar(5), later int");

    List<CapturedColumn> columns =
        fixture.client.capturedColumns(fixture.client.captureInstance("dbo_past"));

    assertThat(columns)
        .extracting(column -> column.name() + " " + column.traits())
        .containsExactly(
            "k []", "gone [DROPPED]", "again [DROPPED]", "Stays []", "twice [COMPUTED]");
    assertThat(columns)
        .extracting(CapturedColumn::collation)
        .containsExactly(null, null, null, "Greek_CI_AS", null);
  }

  @Test
  void anAliasTypeIsItsBaseTypeForALoginThatMaySelectOnly() {
    TestLogin login = fixture.database.createLogin("reader");
    fixture.commit(
        "CREATE TYPE dbo.money2 FROM decimal(19, 4) NOT NULL",
        "CREATE TYPE dbo.note FROM nvarchar(30)",
        "CREATE TABLE dbo.alias (k int NOT NULL PRIMARY KEY, m dbo.money2, n dbo.note, s sysname,"
            + " gone varchar(9))",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'alias',"
            + " @role_name = NULL",
        "ALTER TABLE dbo.alias DROP COLUMN gone",
        "GRANT SELECT ON dbo.alias TO reader",
        "GRANT SELECT ON cdc.dbo_alias_CT TO reader");
    SqlServer reader = fixture.connect(login);

    assertThat(reader.capturedColumns(reader.captureInstance("dbo_alias")))
        .extracting(CapturedColumn::type)
        .containsExactly(
            new SqlType("int", 0, 0, 0),
            new SqlType("decimal", 0, 19, 4),
            new SqlType("nvarchar", 30, 0, 0),
            new SqlType("nvarchar", 128, 0, 0),
            new SqlType("varchar", 9, 0, 0));
  }

  @Test
  void largeColumnsAreKnownFromTheCatalogue() {
    fixture.commit(
        "CREATE TABLE dbo.large (k int NOT NULL PRIMARY KEY, v varchar(max), n nvarchar(max),"
            + " b varbinary(max), t text, nt ntext, i image, x xml, small nvarchar(4000),"
            + " gone varchar(max))",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'large',"
            + " @role_name = NULL",
        "ALTER TABLE dbo.large DROP COLUMN gone");

    assertThat(fixture.client.capturedColumns(fixture.client.captureInstance("dbo_large")))
        .filteredOn(column -> column.type().isLarge())
        .extracting(CapturedColumn::name)
        .containsExactly("v", "n", "b", "t", "nt", "i", "x", "gone");
  }

  @Test
  void aDatabaseWithoutCdcSaysHowToEnableIt() {
    fixture.database.run("EXEC sys.sp_cdc_disable_db");

    assertThatThrownBy(() -> fixture.client.captureInstance("dbo_orders"))
        .isInstanceOf(CdcException.class)
        .hasMessageContaining("EXEC sys.sp_cdc_enable_db")
        .extracting(failure -> ((CdcException) failure).code())
        .isEqualTo(ErrorCode.CDC_DISABLED);
    assertThatThrownBy(fixture.client::maxLsn).hasMessageContaining("EXEC sys.sp_cdc_enable_db");
  }

  @Test
  void theClockIsKnownByName() {
    assertThat(fixture.client.clock().zone().getRules().isFixedOffset()).isTrue();
  }

  private static String describe(SqlType type) {
    return switch (type.name()) {
      case "decimal" -> type.name() + "(" + type.precision() + "," + type.scale() + ")";
      case "datetime2", "datetimeoffset" -> type.name() + "(" + type.scale() + ")";
      case "varchar", "nvarchar", "binary" -> type.name() + "[" + type.length() + "]";
      default -> type.name();
    };
  }
}
