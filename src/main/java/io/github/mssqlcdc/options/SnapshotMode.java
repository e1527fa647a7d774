package io.github.mssqlcdc.options;

import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a snapshot of a table is taken. */
public enum SnapshotMode {
  /** In one go, before the stream starts; it has to finish within CDC's retention. */
  FULL,
  /** In chunks, by {@code backfill}, beside the stream, which starts first. */
  CHUNKED;

  /**
   * The mode of this name, in any case.
   *
   * @throws InvalidRequestException if there is none; the message lists them
   */
  public static SnapshotMode parse(@Nullable String text) {
    for (SnapshotMode mode : values()) {
      if (mode.name().equalsIgnoreCase(text)) {
        return mode;
      }
    }
    throw new InvalidRequestException(
        ErrorCode.INVALID_OPTION,
        "Invalid value '" + text + "' of snapshot: expected full or chunked");
  }

  /** The mode's name in the facts. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
