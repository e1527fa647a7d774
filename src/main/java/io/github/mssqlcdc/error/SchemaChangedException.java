package io.github.mssqlcdc.error;

import org.jspecify.annotations.Nullable;

/** The source's columns no longer fit what the query reads or the target holds. */
public final class SchemaChangedException extends CdcException {
  private static final long serialVersionUID = 1L;

  public SchemaChangedException(String message) {
    this(message, null);
  }

  public SchemaChangedException(String message, @Nullable Throwable cause) {
    super(ErrorCode.SCHEMA_CHANGED, message, cause);
  }
}
