package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.sqlserver.Database.Purpose;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the time zone of the server's clock, once; where it isn't known by name, the offset of the
 * moment stands for it. Thread-safe.
 */
final class ClockDetector {
  private static final String AUTO = "auto";

  /** SQL Server 2022: the first that names its zone. */
  private static final int NAMES_ITS_ZONE = 16;

  /** Azure SQL Database, Managed Instance, SQL database in Fabric: they report version 12. */
  private static final Set<Integer> AZURE = Set.of(5, 8, 12);

  private final Database database;
  private final ClockLog log;
  private final Duration timeout;
  private @Nullable ServerClock clock;
  private @Nullable String whyOffset;

  /**
   * @param sourceTimeZone {@code auto}, a Windows or IANA name, or a fixed offset
   * @throws InvalidRequestException if it is none of them
   */
  ClockDetector(Database database, ClockLog log, Duration timeout, String sourceTimeZone) {
    this.database = database;
    this.log = log;
    this.timeout = timeout;
    if (!sourceTimeZone.equalsIgnoreCase(AUTO)) {
      clock = new ServerClock(zone(sourceTimeZone));
    }
  }

  synchronized ServerClock clock() {
    ServerClock known = clock;
    if (known == null) {
      known = new ServerClock(detect());
      clock = known;
    }
    return known;
  }

  /** The clock for what was read together with this time: an offset holds for its moment only. */
  synchronized ServerClock clock(ServerTime now) {
    ServerClock known = clock();
    observe(now);
    return clock == null ? known : clock;
  }

  /** Nothing is asked for it: whoever needs no time pays for none. */
  synchronized void observe(ServerTime now) {
    if (clock != null && whyOffset != null && !clock.zone().equals(now.offset())) {
      clock = new ServerClock(offset(now.offset(), whyOffset));
    }
  }

  /** Why the clock may be wrong; null unless an offset has been taken for its zone. */
  synchronized @Nullable String warning() {
    return whyOffset == null || clock == null || !(clock.zone() instanceof ZoneOffset offset)
        ? null
        : log.warning(offset, whyOffset);
  }

  /** Whether the zone isn't known, only its offset now. */
  synchronized boolean isOffset() {
    var unused = clock();
    return whyOffset != null;
  }

  private ZoneId detect() {
    Server server =
        database.query(
            new Purpose("read the server's version and clock", null),
            timeout,
            Batch.of("SELECT CAST(SERVERPROPERTY('ProductMajorVersion') AS int) AS version,")
                .add("CAST(SERVERPROPERTY('EngineEdition') AS int) AS edition,")
                .add("DATEPART(TZOFFSET, SYSDATETIMEOFFSET()) AS offset_minutes;"),
            results -> {
              ResultSet row = results.nextRow();
              return new Server(row.getInt(1), row.getInt(2), ServerTime.offset(row.getInt(3)));
            });
    return server.namesItsZone()
        ? named(server)
        : offset(server.offset(), "this version doesn't name its time zone");
  }

  /** The function doesn't exist before 2022; a batch that names it wouldn't even compile. */
  private ZoneId named(Server server) {
    String name =
        database.query(
            new Purpose("read the server's time zone", null),
            timeout,
            Batch.of("SELECT CURRENT_TIMEZONE_ID() AS zone;"),
            results -> results.nextRow().getString(1));
    Optional<ZoneId> zone = name == null ? Optional.empty() : TimeZones.find(name);
    return zone.orElseGet(
        () -> offset(server.offset(), "its time zone '" + name + "' is unknown here"));
  }

  private ZoneId offset(ZoneOffset offset, String why) {
    whyOffset = why;
    log.taken(offset, why);
    return offset;
  }

  private static ZoneId zone(String name) {
    return TimeZones.find(name)
        .orElseThrow(
            () ->
                new InvalidRequestException(
                    ErrorCode.INVALID_OPTION,
                    "Invalid value '"
                        + name
                        + "' of option 'sourceTimeZone': expected auto, a Windows or IANA time zone"
                        + " name such as 'W. Europe Standard Time' or Europe/Berlin, or a fixed"
                        + " offset such as +02:00"));
  }

  private record Server(int version, int edition, ZoneOffset offset) {
    boolean namesItsZone() {
      return version >= NAMES_ITS_ZONE || AZURE.contains(edition);
    }
  }
}
