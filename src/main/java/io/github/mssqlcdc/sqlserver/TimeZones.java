package io.github.mssqlcdc.sqlserver;

import com.ibm.icu.util.TimeZone;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Optional;

/** Time zones by name: IANA's as Java knows them, Windows' as SQL Server does. */
final class TimeZones {
  private TimeZones() {}

  static Optional<ZoneId> find(String name) {
    String iana = TimeZone.getIDForWindowsID(name, null);
    try {
      return Optional.of(ZoneId.of(iana == null ? name : iana));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
