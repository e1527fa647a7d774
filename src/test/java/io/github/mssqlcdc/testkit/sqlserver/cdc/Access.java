package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.engine.SessionContext;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.ColumnInfo;
import java.util.List;

/** Who may see an instance and its changes. */
final class Access {
  private Access() {}

  /** db_owner; else SELECT on the captured columns, and the gating role where there is one. */
  static boolean mayRead(SessionContext session, CaptureInstance instance) {
    if (session.isDbOwner()) {
      return true;
    }
    boolean gated = instance.role() != null && !session.isMember(instance.role());
    List<String> captured = instance.columns().stream().map(ColumnInfo::name).toList();
    return !gated && session.canSelect(instance.sourceTableId(), captured);
  }
}
