package io.github.mssqlcdc.control;

import io.github.mssqlcdc.lsn.Lsn;
import org.jspecify.annotations.Nullable;

/**
 * How far bronze is applied to a silver table.
 *
 * @param applied silver shows every change up to here; null: none yet
 * @param snapshot the snapshot that it was built from; null: none
 * @param openSnapshot the chunked snapshot that is being applied; null: none
 * @param snapshotVersion version of bronze up to which that one is applied; null likewise
 */
public record AppliedPosition(
    @Nullable Lsn applied,
    @Nullable Lsn snapshot,
    @Nullable Lsn openSnapshot,
    @Nullable Long snapshotVersion) {
  public static final AppliedPosition NONE = new AppliedPosition(null, null, null, null);
}
