package io.github.mssqlcdc.testkit.sqlserver.engine;

import com.ibm.icu.util.TimeZone;
import java.time.ZoneId;

/** Windows' names of time zones, which SQL Server uses. */
final class WindowsZones {
  private WindowsZones() {}

  static String idOf(ZoneId zone) {
    String id = TimeZone.getWindowsID(zone.getId().equals("Z") ? "UTC" : zone.getId());
    if (id == null) {
      throw new IllegalArgumentException("Unsupported time zone without a Windows name: " + zone);
    }
    return id;
  }
}
