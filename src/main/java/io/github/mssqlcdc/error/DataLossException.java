package io.github.mssqlcdc.error;

import org.jspecify.annotations.Nullable;

/** Changes that were not read yet are gone from the source; a new snapshot is required. */
public final class DataLossException extends CdcException {
  private static final long serialVersionUID = 1L;

  public DataLossException(String message) {
    this(message, null);
  }

  public DataLossException(String message, @Nullable Throwable cause) {
    super(ErrorCode.DATA_LOSS, message, cause);
  }
}
