package io.github.mssqlcdc.error;

import org.jspecify.annotations.Nullable;

/** The server answers from before the position asked for, as a lagging replica does. Transient. */
public final class SourceBehindException extends CdcException {
  private static final long serialVersionUID = 1L;

  public SourceBehindException(String message) {
    this(message, null);
  }

  public SourceBehindException(String message, @Nullable Throwable cause) {
    super(ErrorCode.SOURCE_BEHIND, message, cause);
  }
}
