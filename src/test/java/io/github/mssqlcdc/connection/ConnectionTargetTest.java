package io.github.mssqlcdc.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.options.ConnectionOptions;
import io.github.mssqlcdc.options.UrlProperties;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConnectionTargetTest {
  @Test
  void theUrlTellsServerAndDatabase() {
    assertThat(target("jdbc:sqlserver://db\\prod:1433;DATABASENAME=shop", "reader", Map.of()))
        .isEqualTo(new ConnectionTarget("db\\prod:1433", "shop", "reader", null))
        .hasToString("server db\\prod:1433, database shop, user reader");
  }

  @Test
  void driverPropertiesWinOverTheUrl() {
    assertThat(
            target(
                "jdbc:sqlserver://;serverName=db;database=shop;user=url",
                null,
                Map.of("databaseName", "other", "applicationIntent", "ReadOnly")))
        .isEqualTo(new ConnectionTarget("db", "other", "url", "readonly"));
  }

  @Test
  void noSecretIsShown() {
    assertThat(
            target(
                "jdbc:sqlserver://db;password={ge;heim};databaseName=shop;accessToken=geheim",
                null,
                Map.of("password", "geheim")))
        .hasToString("server db, database shop");
  }

  @Test
  void bracesGuardAValue() {
    assertThat(UrlProperties.parse(";password={a;b}}c};databaseName= shop ;trust="))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("password", "a;b}c", "databaseName", "shop", "trust", ""));
  }

  private static ConnectionTarget target(
      String url, @Nullable String user, Map<String, String> properties) {
    return ConnectionTarget.of(
        new ConnectionOptions(
            url, user, "geheim", properties, Duration.ofSeconds(30), Duration.ofSeconds(60)));
  }
}
