package io.github.mssqlcdc.sqlserver;

/** The change table of a capture instance. */
record ChangeTable(CaptureInstance instance) {
  private static final String SCHEMA = "cdc";

  /** CDC names it after the instance; no catalogue view that a plain login may read tells it. */
  String name() {
    return instance.name() + "_CT";
  }

  String quoted() {
    return Quoting.name(SCHEMA, name());
  }
}
