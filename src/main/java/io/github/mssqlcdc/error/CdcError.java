package io.github.mssqlcdc.error;

/** What every exception of this library has: a stable code beside its message. */
public interface CdcError {
  ErrorCode code();
}
