package io.github.mssqlcdc.testkit.container;

import com.github.dockerjava.api.command.InspectContainerResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** A SQL Server whose Agent runs, so that CDC's jobs capture and clean up. */
final class SqlServerContainer extends GenericContainer<SqlServerContainer> {
  private static final int PORT = 1433;
  private static final Duration START = Duration.ofMinutes(5);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final String password = "Contract-" + UUID.randomUUID() + "-Aa1";

  SqlServerContainer(String image) {
    super(DockerImageName.parse(image));
    withExposedPorts(PORT);
    withEnv("ACCEPT_EULA", "Y");
    withEnv("MSSQL_AGENT_ENABLED", "true");
    withEnv("MSSQL_SA_PASSWORD", password);
    waitingFor(Wait.forLogMessage(".*Recovery is complete.*\\n", 1).withStartupTimeout(START));
  }

  String url() {
    return "jdbc:sqlserver://"
        + getHost()
        + ":"
        + getMappedPort(PORT)
        + ";trustServerCertificate=true";
  }

  String password() {
    return password;
  }

  /** The log's line may come before logins are taken. */
  @Override
  protected void containerIsStarted(InspectContainerResponse info) {
    Instant deadline = Instant.now().plus(START);
    while (true) {
      try (Connection connection = DriverManager.getConnection(url(), "sa", password);
          Statement statement = connection.createStatement();
          ResultSet version = statement.executeQuery("SELECT @@VERSION")) {
        version.next();
        logger().info("Contract tests run on {}", version.getString(1));
        return;
      } catch (SQLException e) {
        if (Instant.now().isAfter(deadline)) {
          throw new IllegalStateException("No login within " + START, e);
        }
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for the server", e);
    }
  }
}
