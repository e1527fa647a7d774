package io.github.mssqlcdc.error;

import org.jspecify.annotations.Nullable;

/** An error of the source, of the target, or of the state kept about them. */
public class CdcException extends RuntimeException implements CdcError {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  public CdcException(ErrorCode code, String message) {
    this(code, message, null);
  }

  public CdcException(ErrorCode code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  @Override
  public ErrorCode code() {
    return code;
  }
}
