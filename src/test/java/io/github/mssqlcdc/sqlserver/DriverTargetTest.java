package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.connection.ConnectionTarget;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.options.ConnectionOptions;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.options.UrlProperties;
import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When two streams share what they know of a server. */
class DriverTargetTest {
  @Test
  void theTargetIsShownAsTheDriverReadsIt() {
    assertThat(target("//DB\\Prod:1434;DATABASENAME=shop", "reader", Map.of()))
        .hasToString("server db\\prod:1434, database shop, user reader");
    assertThat(target(";serverName=db;port=1433;database=shop;user=url", null, Map.of()))
        .hasToString("server db, database shop, user url");
    assertThat(target("//;databaseName={a;b}}c}", null, Map.of()))
        .hasToString("server localhost, database a;b}c");
  }

  @ParameterizedTest
  @CsvSource({
    "//db:1444;databaseName=shop, //DB;portNumber=1444;DataBase=shop",
    "//db:1444;databaseName=shop, //;serverName=db;port=1444;databaseName={shop}",
    "//db:1444;databaseName=shop, //other;server=Db;portNumber=1444;databaseName=shop",
    "//db;databaseName=shop, //db:1433;databaseName=shop;applicationName=another",
    "//db;databaseName=shop;user=a, //db;databaseName=shop;UserName=a",
    "//db;databaseName=shop, //db;databaseName=else;database=shop",
    "//db;databaseName=shop;applicationIntent=ReadOnly, "
        + "//db;databaseName=shop;ApplicationIntent=readonly",
  })
  void manyWaysToWriteOneTargetAreOne(String url, String other) {
    assertThat(target(url)).isEqualTo(target(other)).hasSameHashCodeAs(target(other));
  }

  @ParameterizedTest
  @CsvSource({
    "//db;portNumber=1444;databaseName=shop, //db;portNumber=1445;databaseName=shop",
    "//db;port=1444;databaseName=shop, //db;port=1445;databaseName=shop",
    "//db;instanceName=a;databaseName=shop, //db;instanceName=b;databaseName=shop",
    "//db\\a;databaseName=shop, //db\\a:1433;databaseName=shop",
    "//db\\a;databaseName=shop, //db\\a;databaseName=shop;portNumber=1433",
    "//;serverName=a;databaseName=shop, //;serverName=b;databaseName=shop",
    "//db;serverName=a;databaseName=shop, //db;serverName=b;databaseName=shop",
    "//db;databaseName=shop;database=a, //db;database=a;databaseName=shop",
    "//db;databaseName=shop, //db;databaseName=SHOP",
    "//db;databaseName=shop;user=a, //db;databaseName=shop;user=b",
    "//db;databaseName=shop;applicationIntent=ReadOnly, //db;databaseName=shop",
    "//db;databaseName=shop;failoverPartner=a, //db;databaseName=shop;failoverPartner=b",
    "//db;databaseName=shop;multiSubnetFailover=true, //db;databaseName=shop",
    "//db;databaseName=shop;socketFactoryClass=a.B, //db;databaseName=shop",
    "//db;databaseName=shop;iPAddressPreference=IPv6First, //db;databaseName=shop",
    "//db;databaseName=shop;integratedSecurity=true, //db;databaseName=shop",
    "//db;databaseName=shop;authentication=ActiveDirectoryMSI;msiClientId=a,"
        + " //db;databaseName=shop;authentication=ActiveDirectoryMSI;msiClientId=b",
    "//db;databaseName=shop;accessTokenCallbackClass=a.A,"
        + " //db;databaseName=shop;accessTokenCallbackClass=a.B",
  })
  void twoTargetsAreNeverOne(String url, String other) {
    assertThat(target(url)).isNotEqualTo(target(other));
  }

  @Test
  void driverPropertiesWinOverTheUrlAndCount() {
    assertThat(
            target("//db;databaseName=shop", null, Map.of("ApplicationINTENT", "ReadOnly"))
                .properties())
        .containsEntry("applicationIntent", "readonly");
    assertThat(target("//db;databaseName=shop", null, Map.of("msiClientId", "a")))
        .isNotEqualTo(target("//db;databaseName=shop", null, Map.of("msiClientId", "b")));
  }

  @Test
  void tokensOfTwoPrincipalsAreTwoLoginsAndAreNotKept() {
    ConnectionTarget one = target("//db;databaseName=shop", null, Map.of("accessToken", "geheim1"));
    ConnectionTarget same =
        target("//db;databaseName=shop", null, Map.of("ACCESSTOKEN", "geheim1"));
    ConnectionTarget two = target("//db;databaseName=shop", null, Map.of("accessToken", "geheim2"));

    assertThat(one).isEqualTo(same).isNotEqualTo(two);
    assertThat(one.properties().toString()).doesNotContain("geheim");
  }

  @Test
  void noSecretIsHeldOrShown() {
    ConnectionTarget target =
        target(
            "//db;password={ge;heim};databaseName=shop",
            "reader",
            Map.of("trustStorePassword", "geheim", "keyStoreSecret", "geheim"));

    assertThat(target).hasToString("server db, database shop, user reader");
    assertThat(target.properties().toString()).doesNotContain("heim");
  }

  @Test
  void aUrlThatTheDriverCannotReadIsSaidSo() {
    assertThatThrownBy(() -> target("//db;databaseName={shop"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith("Invalid option 'url': the driver can't read it (");
  }

  @Test
  void bracesGuardAValue() {
    assertThat(UrlProperties.parse(";password={a;b}}c};databaseName= shop ;trust="))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("password", "a;b}c", "databaseName", "shop", "trust", ""));
  }

  /** Each server has its own max LSN: an idle stream that took the other's would never wake up. */
  @Test
  void serversThatOnlyAPortPropertyTellsApartShareNoPoll() {
    try (StandIn young = StandIn.start();
        StandIn old = StandIn.start();
        ClientFixture one = new ClientFixture(StandInDatabase.create(young, "shop"));
        ClientFixture two = new ClientFixture(StandInDatabase.create(old, "shop"))) {
      for (int i = 0; i < 50; i++) {
        two.commit("INSERT INTO dbo.orders (id) VALUES (" + i + ")");
      }
      SqlServer ofYoung = byPortProperty(young);
      SqlServer ofOld = byPortProperty(old);
      // not by a client, which would share what it has read
      Lsn read =
          Lsn.of((byte[]) two.database.query("SELECT sys.fn_cdc_get_max_lsn()").get(0).get(0));
      two.commit("INSERT INTO dbo.orders (id) VALUES (1000)");
      assertThat(ofYoung.maxLsn()).hasValueSatisfying(max -> assertThat(max).isLessThan(read));

      assertThat(ofOld.head(two.orders(), read, HeadLimits.NONE).hasRows()).isTrue();
    }
  }

  private static SqlServer byPortProperty(StandIn server) {
    String port = String.valueOf(server.port());
    Map<String, String> options =
        Map.of(
            "url", server.url("shop").replace(":" + port + ";", ";portNumber=" + port + ";"),
            "user", server.adminUser(),
            "password", server.adminPassword(),
            "captureInstance", "dbo_orders");
    return SqlServers.connect(StreamOptions.parse(options).source(), Duration.ofMinutes(1));
  }

  private static ConnectionTarget target(String rest) {
    return target(rest, null, Map.of());
  }

  private static ConnectionTarget target(
      String rest, @Nullable String user, Map<String, String> properties) {
    return DriverTarget.of(
        new ConnectionOptions(
            "jdbc:sqlserver:" + (rest.startsWith("//") ? rest : "//" + rest),
            user,
            user == null ? null : "geheim",
            properties,
            Duration.ofSeconds(30),
            Duration.ofSeconds(60)));
  }
}
