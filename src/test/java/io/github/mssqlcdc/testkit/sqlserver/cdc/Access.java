package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.engine.SessionContext;

/** Who may see an instance and its changes. */
final class Access {
  private Access() {}

  /** db_owner; else SELECT on the source table, and the gating role where there is one. */
  static boolean mayRead(SessionContext session, CaptureInstance instance) {
    if (session.isDbOwner()) {
      return true;
    }
    boolean gated = instance.role() != null && !session.isMember(instance.role());
    return !gated && session.canSelect(instance.sourceTableId());
  }
}
