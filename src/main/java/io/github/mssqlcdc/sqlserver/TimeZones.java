package io.github.mssqlcdc.sqlserver;

import com.ibm.icu.util.TimeZone;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Optional;

/** Time zones by name: IANA's as Java knows them, Windows' as SQL Server does; and offsets. */
final class TimeZones {
  private TimeZones() {}

  /** Ignores case, as SQL Server does. */
  static Optional<ZoneId> find(String name) {
    String text = name.strip();
    String iana = TimeZone.getIDForWindowsID(text, null);
    return iana == null ? byId(text).or(() -> ignoringCase(text)) : byId(iana);
  }

  private static Optional<ZoneId> ignoringCase(String name) {
    return ZoneId.getAvailableZoneIds().stream()
        .filter(id -> id.equalsIgnoreCase(name) || name.equalsIgnoreCase(TimeZone.getWindowsID(id)))
        .findFirst()
        .flatMap(
            id ->
                id.equalsIgnoreCase(name)
                    ? byId(id)
                    : byId(TimeZone.getIDForWindowsID(TimeZone.getWindowsID(id), null)));
  }

  private static Optional<ZoneId> byId(String id) {
    try {
      return Optional.of(ZoneId.of(id));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
