package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.LossKind;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.SqlServer;
import java.time.LocalDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Names the cause of a loss, as it reads after "min LSN is … now, ". */
final class LossCause {
  private static final String PURGED = "what is below it was purged by CDC cleanup";

  /** Of a read that only sees min LSN. */
  static final String UNKNOWN =
      PURGED + " (or the instance was disabled and created again, which looks the same)";

  private LossCause() {}

  /**
   * How what follows a position came to be gone. All times are the server's own, as they stand in
   * the LSN map and the catalog.
   *
   * @param position up to where everything was read
   * @param at its time; null if unknown
   * @param next the instance that has what follows
   * @param begin time of its min LSN; null if unknown
   */
  static LossKind kind(
      SqlServer server,
      Lsn position,
      @Nullable LocalDateTime at,
      CaptureInstance next,
      @Nullable LocalDateTime begin) {
    if (at == null) {
      return begin == null || next.created().equals(begin)
          ? LossKind.INSTANCE_RECREATED
          : LossKind.RETENTION;
    }
    if (!next.created().isAfter(at)) {
      return LossKind.RETENTION;
    }
    if (server.tableCreated(next).filter(created -> created.isAfter(at)).isPresent()) {
      return LossKind.TABLE_RECREATED;
    }
    return server.mapEntry(position).isPresent()
        ? LossKind.INSTANCE_RECREATED
        : LossKind.CDC_REENABLED;
  }

  /**
   * Compares the instances with what they were when the run began.
   *
   * @param before the one that had the changes then
   * @param now the one that min LSN is of
   * @param minLsnAt time of its min LSN on the server's clock; null if unknown
   */
  static String of(
      SqlServer server,
      CaptureInstance before,
      CaptureInstance now,
      @Nullable LocalDateTime minLsnAt) {
    List<CaptureInstance> live = server.instancesOf(before);
    for (CaptureInstance instance : live) {
      if (instance.name().equals(before.name())) {
        return isSame(instance, before) ? sinceCreation(instance, minLsnAt) : recreated(instance);
      }
    }
    return "capture instance '"
        + before.name()
        + "' was disabled before all its changes were read; '"
        + now.name()
        + "' has what came later";
  }

  /** A mark that cleanup has moved is later than the instance. */
  private static String sinceCreation(CaptureInstance instance, @Nullable LocalDateTime minLsnAt) {
    return instance.created().equals(minLsnAt)
        ? "where the instance begins: what was changed before was in an older capture instance of"
            + " the table, if there was one, and that was disabled"
        : PURGED;
  }

  private static String recreated(CaptureInstance instance) {
    return "the capture instance was disabled and created again: this one is of "
        + instance.created()
        + " on the server's clock. What was changed in between was never captured";
  }

  private static boolean isSame(CaptureInstance one, CaptureInstance other) {
    return one.changeTableId() == other.changeTableId() && one.created().equals(other.created());
  }
}
