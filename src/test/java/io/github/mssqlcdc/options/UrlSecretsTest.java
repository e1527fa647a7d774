package io.github.mssqlcdc.options;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.InvalidRequestException;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UrlSecretsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        ";password=geheim",
        ";databaseName=shop;PASSWORD = {ge;heim}",
        ";databaseName=shop password=geheim",
        ";password:geheim",
        ";pwd=geheim",
        ";accessToken=geheim",
        ";trustStorePassword=geheim",
        ";keyStoreSecret=geheim",
        ";clientKeyPassword=geheim",
        ";AADSecurePrincipalSecret=geheim",
        ";keyVaultProviderClientKey=geheim",
      })
  void aSecretInTheUrlIsRefusedWithoutShowingIt(String properties) {
    assertThatThrownBy(() -> parse("jdbc:sqlserver://db:1433" + properties))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith("Invalid option 'url': it holds a password")
        .hasMessageContaining("Set option 'password'")
        .hasMessageNotContaining("heim")
        .hasNoCause();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:sqlserver://sa:geheim@db:1433",
        "jdbc:sqlserver://geheim@db;databaseName=shop",
      })
  void aLoginInFrontOfTheHostIsRefusedWithoutShowingIt(String url) {
    assertThatThrownBy(() -> parse(url))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("Set options 'user' and 'password'")
        .hasMessageNotContaining("geheim");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:sqlserver://db:1433;databaseName=shop;encrypt=true;trustServerCertificate=false",
        "jdbc:sqlserver://db;authentication=ActiveDirectoryManagedIdentity;msiClientId=a1",
        "jdbc:sqlserver://db;accessTokenCallbackClass=com.example.Tokens;user=a@example.com",
        "jdbc:sqlserver://db;clientCertificate=/c.pem;clientKey=/k.pem;databaseName=passwords",
      })
  void whatIsNoSecretMayStandThere(String url) {
    assertThatCode(() -> parse(url)).doesNotThrowAnyException();
  }

  private static void parse(String url) {
    var unused = StreamOptions.parse(Map.of("url", url, "captureInstance", "dbo_orders"));
  }
}
