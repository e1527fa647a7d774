package io.github.mssqlcdc.options;

/** What a stream does about DDL on its table. */
public enum SchemaChangePolicy {
  /** Goes on where the change does no harm, stops where it does. */
  CLASSIFY,
  /** Stops at any DDL. */
  FAIL
}
