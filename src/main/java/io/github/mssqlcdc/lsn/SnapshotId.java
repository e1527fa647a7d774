package io.github.mssqlcdc.lsn;

/**
 * Names a chunked snapshot for good.
 *
 * @param appId base id of the stream, never that of a generation
 * @param lsn S: what the snapshot stands for
 * @param open number of its open; two opens of one stream may have the same S
 */
public record SnapshotId(String appId, Lsn lsn, int open) {

  /** The name of a kind of write of this snapshot, for Delta's transaction ids. */
  public String transaction(String kind) {
    return appId + "#" + kind + "." + lsn + "." + open;
  }

  /** For messages: {@code the snapshot at 0x… (open 0)}. */
  @Override
  public String toString() {
    return "the snapshot at " + lsn + " (open " + open + ")";
  }
}
