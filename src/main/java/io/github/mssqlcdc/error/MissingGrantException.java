package io.github.mssqlcdc.error;

import org.jspecify.annotations.Nullable;

/** The login lacks a right; the message names the grant. */
public final class MissingGrantException extends CdcException {
  private static final long serialVersionUID = 1L;

  public MissingGrantException(String message) {
    this(message, null);
  }

  public MissingGrantException(String message, @Nullable Throwable cause) {
    super(ErrorCode.MISSING_GRANT, message, cause);
  }
}
