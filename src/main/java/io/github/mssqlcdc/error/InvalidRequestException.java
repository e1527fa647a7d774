package io.github.mssqlcdc.error;

import org.jspecify.annotations.Nullable;

/** A bad option or argument, or a call that the stored state forbids. Never worth a retry. */
public final class InvalidRequestException extends IllegalArgumentException implements CdcError {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  public InvalidRequestException(ErrorCode code, String message) {
    this(code, message, null);
  }

  public InvalidRequestException(ErrorCode code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  @Override
  public ErrorCode code() {
    return code;
  }
}
