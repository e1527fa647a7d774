package io.github.mssqlcdc.error;

import org.jspecify.annotations.Nullable;

/**
 * The source's past is not the one that was read, as after a restore; a new snapshot is required.
 */
public final class HistoryChangedException extends CdcException {
  private static final long serialVersionUID = 1L;

  public HistoryChangedException(String message) {
    this(message, null);
  }

  public HistoryChangedException(String message, @Nullable Throwable cause) {
    super(ErrorCode.HISTORY_CHANGED, message, cause);
  }
}
