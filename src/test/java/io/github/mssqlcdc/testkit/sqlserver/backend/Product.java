package io.github.mssqlcdc.testkit.sqlserver.backend;

/**
 * What a server says it is.
 *
 * @param majorVersion 13 for SQL Server 2016 to 17 for 2025
 * @param azure Azure SQL Database: it reports version 12 and has what the newest has
 */
public record Product(int majorVersion, boolean azure) {
  public static final int SQL_SERVER_2017 = 14;
  public static final int SQL_SERVER_2022 = 16;

  private static final int AZURE_VERSION = 12;

  public static Product sqlServer(int majorVersion) {
    return new Product(majorVersion, false);
  }

  public static Product azureSqlDatabase() {
    return new Product(AZURE_VERSION, true);
  }

  /** Whether it has what came with this version of SQL Server. */
  public boolean has(int sinceVersion) {
    return azure || majorVersion >= sinceVersion;
  }

  /** As SERVERPROPERTY('EngineEdition') tells it. */
  public int engineEdition() {
    return azure ? 5 : 3;
  }

  /** As SERVERPROPERTY('Edition') tells it. */
  public String edition() {
    return azure ? "SQL Azure" : "Developer Edition (64-bit)";
  }
}
