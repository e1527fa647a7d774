package io.github.mssqlcdc.error;

/**
 * Stable names of the errors that callers may tell apart. Names are never reused. {@code
 * docs/troubleshooting.md} has a section for each: messages, causes and the way out.
 */
public enum ErrorCode {
  /** An option or argument is missing, unknown in its place, or has a value that isn't allowed. */
  INVALID_OPTION,
  INVALID_LSN,
  INVALID_OFFSET,
  /** The database can't be reached, or refused the login. */
  CONNECTION_FAILED,
  CDC_DISABLED,
  UNKNOWN_CAPTURE_INSTANCE,
  UNSUPPORTED_TYPE,
  UNKNOWN_COLUMN,
  /** A value isn't what its column is declared as. */
  INVALID_VALUE,
  MISSING_GRANT,
  /** Changes that were not read yet are gone from the change table. */
  DATA_LOSS,
  /** The source's past isn't the one the stream has read: a restore, for example. */
  HISTORY_CHANGED,
  SCHEMA_CHANGED,
  /** The server answers from behind the position asked for; a later attempt may succeed. */
  SOURCE_BEHIND,
  /** Capture has not run yet, so there is no LSN to start from. */
  CAPTURE_NOT_STARTED,
  /** Another writer uses the same transaction id: a second job, or a new checkpoint. */
  CONFLICTING_WRITER,
  /** A snapshot is open that this call would get in the way of. */
  SNAPSHOT_OPEN,
  /** The target table is of another kind or shape than what has to be written to it. */
  INVALID_TARGET,
  /** A statement failed on the server for a reason of its own. */
  SOURCE_FAILED
}
