package io.github.mssqlcdc.sqlserver;

/** The change table of a capture instance. */
record ChangeTable(CaptureInstance instance) {
  static final String SCHEMA = "cdc";

  /** CDC names it after the instance; no catalogue view that a plain login may read tells it. */
  String name() {
    return name(instance.name());
  }

  /** That of an instance of this name. */
  static String quoted(String instance) {
    return Quoting.name(SCHEMA, name(instance));
  }

  private static String name(String instance) {
    return instance + "_CT";
  }

  /** The position's second part; NULL where the server knows no command ids. */
  String commandId() {
    return instance.hasCommandIds() ? "ct.[__$command_id]" : "CAST(NULL AS int)";
  }

  /** Only all of them are a total order: an update of several rows repeats its command id. */
  String order() {
    return "ORDER BY " + positionColumns();
  }

  /** What {@link #order} orders by, for a select list. */
  String positionColumns() {
    return "ct.[__$start_lsn], "
        + (instance.hasCommandIds() ? commandId() + ", " : "")
        + "ct.[__$seqval], ct.[__$operation]";
  }

  String quoted() {
    return quoted(instance.name());
  }
}
