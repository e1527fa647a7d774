package io.github.mssqlcdc.testkit.contract;

/**
 * A SQL Server that the contract tests run on in the stand-in's place. The one that {@link
 * java.util.ServiceLoader} finds is used where no URL is given.
 */
public interface TestServer {

  /** JDBC URL without database, user and password. */
  String url();

  /** A login that may create databases and logins, and enable CDC. */
  String user();

  String password();
}
