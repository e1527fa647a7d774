package io.github.mssqlcdc.options;

/** How the source table is read. */
public enum Isolation {
  READ_COMMITTED,
  SNAPSHOT
}
