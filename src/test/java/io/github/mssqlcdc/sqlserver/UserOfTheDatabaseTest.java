package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.mssqlcdc.connection.ConnectionPool;
import io.github.mssqlcdc.connection.ConnectionTarget;
import io.github.mssqlcdc.connection.DaemonTimer;
import io.github.mssqlcdc.options.StreamOptions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The statement that makes a login a user depends on where the login comes from. */
class UserOfTheDatabaseTest {

  @ParameterizedTest
  @CsvSource({
    "user, le]ser, CREATE USER [le]]ser] FOR LOGIN [le]]ser]",
    "jdbc.authentication, SqlPassword, CREATE USER [a@b.example] FOR LOGIN [a@b.example]",
    "jdbc.authentication, ActiveDirectoryPassword, CREATE USER [a@b.example] FROM EXTERNAL PROVIDER",
    "jdbc.authentication, activedirectoryinteractive,"
        + " CREATE USER [a@b.example] FROM EXTERNAL PROVIDER",
    "jdbc.accessTokenCallbackClass, com.example.Tokens,"
        + " CREATE USER [a@b.example] FROM EXTERNAL PROVIDER",
  })
  void aNamedLoginIsNamedInTheStatement(String option, String value, String statement)
      throws SQLException {
    assertThat(refusal(options("user", "a@b.example", option, value)))
        .contains(", or ask for " + statement + " in the database");
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc.accessToken, eyJ0, jdbc.encrypt, true",
    "jdbc.accessTokenCallbackClass, com.example.Tokens, jdbc.encrypt, true",
    "jdbc.authentication, ActiveDirectoryManagedIdentity, jdbc.msiClientId, a-b-c",
    "jdbc.authentication, ActiveDirectoryServicePrincipal, user, 0b7c-client-id",
  })
  void anApplicationIsKnownByAnIdHereAndByItsNameInTheDatabase(
      String option, String value, String other, String otherValue) throws SQLException {
    assertThat(refusal(options(option, value, other, otherValue)))
        .contains("CREATE USER [<its name in Microsoft Entra>] FROM EXTERNAL PROVIDER")
        .doesNotContain("FOR LOGIN");
  }

  private static Map<String, String> options(String... namesAndValues) {
    Map<String, String> options =
        new HashMap<>(
            Map.of(
                "url", "jdbc:sqlserver://db;databaseName=shop", "captureInstance", "dbo_orders"));
    for (int i = 0; i < namesAndValues.length; i += 2) {
      options.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return options;
  }

  private static String refusal(Map<String, String> options) throws SQLException {
    ConnectionTarget target = DriverTarget.of(StreamOptions.parse(options).source().connection());
    try (ConnectionPool pool =
        new ConnectionPool(
            target,
            1,
            Duration.ofSeconds(1),
            () -> {
              throw new SQLException("Cannot open database", "S0001", 4060);
            },
            new DaemonTimer())) {
      SQLException refused = catchThrowableOfType(SQLException.class, pool::borrow);
      return String.valueOf(
          new ErrorTranslator(target, new PooledDiagnosis(pool))
              .translate("read", null, refused)
              .getMessage());
    }
  }
}
