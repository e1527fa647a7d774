package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.offset.Offset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps a start in memory; the test says when a batch is planned. */
final class MemoryStartLog implements StartLog {
  private @Nullable Offset kept;
  private boolean isPlanned;

  void plan() {
    isPlanned = true;
  }

  @Override
  public Optional<Offset> ofPlanned() {
    return isPlanned ? Optional.ofNullable(kept) : Optional.empty();
  }

  @Override
  public void keep(Offset start) {
    kept = start;
  }
}
