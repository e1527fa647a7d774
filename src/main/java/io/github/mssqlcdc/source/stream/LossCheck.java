package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.error.HistoryChangedException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.LossKind;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.sqlserver.SqlServer;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds out, before a stream starts, whether what follows its position is still there. Stateless
 * but for the server behind it.
 *
 * @param asked a capture instance of the stream's table
 * @param pollInterval how often a server is asked that is behind the position
 */
public record LossCheck(SqlServer server, CaptureInstance asked, Duration pollInterval) {

  /**
   * What is lost.
   *
   * @param to commit time of what is there again, UTC; null if unknown
   * @param what how it shows, for a person: a part of a sentence
   */
  public record Loss(LossKind kind, Offset position, @Nullable LocalDateTime to, String what) {}

  /** The loss after a position; empty if there is none, or nothing that would prove one. */
  public Optional<Loss> after(Offset position) {
    List<CaptureInstance> instances = server.instancesOf(asked);
    if (instances.isEmpty()) {
      return Optional.empty();
    }
    try {
      new HistoryCheck(asked.name()).requireSame(server, position, pollInterval);
    } catch (HistoryChangedException e) {
      return Optional.of(
          new Loss(LossKind.RESTORED, position, null, String.valueOf(e.getMessage())));
    }
    CaptureInstance next = InstanceLine.of(instances).after(position.lsn());
    Lsn minLsn = next.startLsn();
    if (minLsn == null || !minLsn.isAfter(position.lsn().next()) || !hasMore(position)) {
      return Optional.empty();
    }
    return Optional.of(lost(position, next, minLsn));
  }

  /** An instance begins above a position that nothing has followed yet. */
  private boolean hasMore(Offset position) {
    return server.maxLsn().filter(max -> max.isAfter(position.lsn())).isPresent();
  }

  private Loss lost(Offset position, CaptureInstance next, Lsn minLsn) {
    Optional<MapEntry> entry = server.mapEntry(minLsn);
    MapEntry begin = entry.orElseGet(() -> new MapEntry(minLsn, next.created()));
    LossKind kind = LossCause.kind(server, position.lsn(), position.at(), next, begin.at());
    return new Loss(
        kind,
        position,
        server.commitTs(begin),
        "min LSN of capture instance '"
            + next.name()
            + "' is "
            + minLsn
            + " now, "
            + switch (kind) {
              case TABLE_RECREATED -> "the source table was dropped and created again";
              case CDC_REENABLED ->
                  "CDC of the database was disabled and enabled again, or the instance alone was,"
                      + " as the only one there or longer ago than the retention";
              case INSTANCE_RECREATED ->
                  "the instance was created on "
                      + next.created()
                      + " of the server's clock: the one that had the changes was disabled";
              default -> "what is below it was purged by CDC cleanup";
            });
  }
}
