package io.github.mssqlcdc.sqlserver;

import com.ibm.icu.util.TimeZone;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Time zones by name: IANA's as Java knows them, Windows' as SQL Server does; and offsets. */
final class TimeZones {
  /** Zones of IANA that Java knows as short names only; its other short names mean several. */
  private static final Map<String, String> SHORT =
      Map.of("EST", "-05:00", "MST", "-07:00", "HST", "-10:00", "ROC", "Asia/Taipei");

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
      return Optional.of(ZoneId.of(SHORT.getOrDefault(id.toUpperCase(Locale.ROOT), id)));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
