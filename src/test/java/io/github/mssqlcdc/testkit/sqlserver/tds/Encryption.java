package io.github.mssqlcdc.testkit.sqlserver.tds;

/** What the server answers to a client that asks about encryption. */
public enum Encryption {
  /** Not supported: only {@code encrypt=false} connects. */
  OFF,
  /**
   * As the client likes: off, in PRELOGIN (TLS 1.2) or strict. Login-only encryption is refused.
   */
  OPTIONAL,
  /** Demanded of every client, as "Force Encryption". */
  REQUIRED
}
