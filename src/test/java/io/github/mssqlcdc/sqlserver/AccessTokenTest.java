package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.microsoft.sqlserver.jdbc.SQLServerAccessTokenCallback;
import com.microsoft.sqlserver.jdbc.SqlAuthenticationToken;
import io.github.mssqlcdc.connection.Retry;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Logins by access token: on the stand-in only, where tokens can be made and expire at will. */
class AccessTokenTest {
  private static final String LOGIN = "app";

  private final StandIn server = StandIn.start();
  private final ClientFixture fixture = new ClientFixture(StandInDatabase.create(server));

  /** Gets a new token each time, as from an identity provider. */
  public static final class Tokens implements SQLServerAccessTokenCallback {
    static final AtomicInteger ISSUED = new AtomicInteger();
    static final List<String> ASKED = new CopyOnWriteArrayList<>();

    @SuppressWarnings("NullAway.Init")
    static volatile StandIn provider;

    @Override
    public SqlAuthenticationToken getAccessToken(String resource, String issuer) {
      ASKED.add(issuer + " " + resource);
      String token = "token-" + ISSUED.incrementAndGet();
      provider.acceptToken(token, LOGIN);
      return new SqlAuthenticationToken(token, Date.from(Instant.now().plusSeconds(60)));
    }
  }

  @BeforeEach
  void createLogin() {
    Tokens.provider = server;
    Tokens.ISSUED.set(0);
    Tokens.ASKED.clear();
    fixture.commit(
        "CREATE LOGIN " + LOGIN + " WITH PASSWORD = 'never-used-1'",
        "CREATE USER " + LOGIN + " FOR LOGIN " + LOGIN,
        "GRANT SELECT ON dbo.orders TO " + LOGIN,
        "GRANT SELECT ON cdc.dbo_orders_CT TO " + LOGIN);
  }

  @AfterEach
  void close() {
    fixture.close();
    server.close();
  }

  @Test
  void aTokenIsFetchedAnewForEachNewConnectionSoThatItsExpiryHarmsNobody() {
    SqlServer client = connect("jdbc.accessTokenCallbackClass", Tokens.class.getName());

    assertThat(client.captureInstance("dbo_orders").name()).isEqualTo("dbo_orders");
    assertThat(client.maxLsn()).isPresent();
    assertThat(Tokens.ISSUED).hasValue(1);

    server.expireTokens();
    assertThat(client.maxLsn()).describedAs("on the open connection").isPresent();
    assertThat(Tokens.ISSUED).hasValue(1);

    server.disconnectAll();
    assertThat(client.maxLsn()).describedAs("on a new connection").isPresent();
    assertThat(Tokens.ISSUED).hasValue(2);
    assertThat(Tokens.ASKED).allMatch(asked -> asked.startsWith("https://login.example.com/"));
  }

  @Test
  void aTokenGivenAsOptionWorksUntilItExpires() {
    server.acceptToken("given-token", LOGIN);
    SqlServer client = connect("jdbc.accessToken", "given-token");

    assertThat(client.maxLsn()).isPresent();

    server.expireTokens();
    server.disconnectAll();
    assertThatThrownBy(client::maxLsn)
        .isInstanceOf(CdcException.class)
        .hasMessageStartingWith("Cannot log in (server localhost:")
        .hasMessageContaining("The access token given has expired")
        .hasMessageContaining("Set 'jdbc.authentication' or 'jdbc.accessTokenCallbackClass'")
        .hasMessageNotContaining("given-token");
  }

  private SqlServer connect(String option, String value) {
    Map<String, String> options = new HashMap<>();
    options.put("url", fixture.database.url().replace(";encrypt=false", ";encrypt=true"));
    options.put("jdbc.trustServerCertificate", "true");
    options.put("captureInstance", "dbo_orders");
    options.put(option, value);
    return SqlServers.connect(
        StreamOptions.parse(options).source(),
        Duration.ZERO,
        new Retry(ErrorNumbers::mayPass, retry -> Duration.ZERO));
  }
}
