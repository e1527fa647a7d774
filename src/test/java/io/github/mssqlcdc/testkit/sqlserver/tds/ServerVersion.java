package io.github.mssqlcdc.testkit.sqlserver.tds;

/** The build that goes with any major version; clients only show it. */
final class ServerVersion {
  static final int BUILD = 4000;

  private ServerVersion() {}
}
