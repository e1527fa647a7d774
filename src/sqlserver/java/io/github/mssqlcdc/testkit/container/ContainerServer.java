package io.github.mssqlcdc.testkit.container;

import io.github.mssqlcdc.testkit.contract.TestServer;

/**
 * The one SQL Server container of a test JVM, of the image that {@code -Dsqlserver.image} names;
 * started by the first test that asks for it. Testcontainers removes it once the JVM has ended.
 */
public final class ContainerServer implements TestServer {

  @Override
  public String url() {
    return Holder.CONTAINER.url();
  }

  @Override
  public String user() {
    return "sa";
  }

  @Override
  public String password() {
    return Holder.CONTAINER.password();
  }

  private static final class Holder {
    static final SqlServerContainer CONTAINER = start();

    private static SqlServerContainer start() {
      SqlServerContainer container =
          new SqlServerContainer(System.getProperty(DockerNeeded.IMAGE, ""));
      container.start();
      return container;
    }
  }
}
