package io.github.mssqlcdc.facts;

import java.util.Locale;

/** What a row without a micro-batch of its own tells. */
public enum FactsEvent {
  /** A snapshot is being taken; written before the table is read. */
  SNAPSHOT_OPEN,
  /** The chunks of a chunked snapshot are planned. */
  SNAPSHOT_PLAN,
  /** A chunk of it is in bronze. */
  SNAPSHOT_CHUNK,
  /** A snapshot that was open has been given up. */
  SNAPSHOT_ABANDONED,
  /** The first snapshot of a target is complete. */
  BOOTSTRAP,
  /** A snapshot after lost changes is complete; the stream goes on from it in a new generation. */
  RESNAPSHOT,
  /** A snapshot that fills columns which came with a newer capture instance is complete. */
  SWITCH_SNAPSHOT,
  /** A batch went on over changes that are gone, or may be. */
  DATA_SKIPPED,
  /** The columns of the source table were changed. */
  SCHEMA_CHANGE,
  /** A newer capture instance of the table took over. */
  CAPTURE_INSTANCE_SWITCHED,
  /** A column came with it: values written to it before are in no change table. */
  COLUMN_GAP;

  /** The event's name in the table. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
