package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.connection.ConnectionTarget;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the time zone of the server's clock, once. Thread-safe. */
final class ClockDetector {
  private static final Logger LOG = LoggerFactory.getLogger(ClockDetector.class);
  private static final String AUTO = "auto";

  /** SQL Server 2022: the first that names its zone. */
  private static final int NAMES_ITS_ZONE = 16;

  /** Azure SQL Database, Managed Instance, SQL database in Fabric: they report version 12. */
  private static final Set<Integer> AZURE = Set.of(5, 8, 12);

  private final Database database;
  private final ConnectionTarget target;
  private final Duration timeout;
  private @Nullable ServerClock clock;

  /**
   * @param sourceTimeZone {@code auto}, or a Windows or IANA name
   * @throws InvalidRequestException if it is neither
   */
  ClockDetector(
      Database database, ConnectionTarget target, Duration timeout, String sourceTimeZone) {
    this.database = database;
    this.target = target;
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
              return new Server(row.getInt(1), row.getInt(2), row.getInt(3));
            });
    return server.namesItsZone() ? named().orElseGet(server::offset) : fixed(server.offset());
  }

  /** The function doesn't exist before 2022; a batch that names it wouldn't even compile. */
  private Optional<ZoneId> named() {
    String name =
        database.query(
            new Purpose("read the server's time zone", null),
            timeout,
            Batch.of("SELECT CURRENT_TIMEZONE_ID() AS zone;"),
            results -> results.nextRow().getString(1));
    Optional<ZoneId> zone = TimeZones.find(name);
    if (zone.isEmpty()) {
      LOG.warn(
          "Server clock ({}): time zone '{}' is unknown here, its current offset is taken, which is"
              + " wrong across a change of the clocks; set option 'sourceTimeZone'",
          target,
          name);
    }
    return zone;
  }

  private ZoneId fixed(ZoneOffset offset) {
    LOG.warn(
        "Server clock ({}): this version doesn't name its time zone, the fixed offset UTC{} is"
            + " taken, which is wrong across daylight saving changes; set option 'sourceTimeZone'",
        target,
        offset.getTotalSeconds() == 0 ? "" : offset);
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
                        + "' of option 'sourceTimeZone': expected auto, or a"
                        + " Windows or IANA time zone name such as 'W. Europe Standard Time' or"
                        + " Europe/Berlin"));
  }

  private record Server(int version, int edition, int offsetMinutes) {
    boolean namesItsZone() {
      return version >= NAMES_ITS_ZONE || AZURE.contains(edition);
    }

    ZoneOffset offset() {
      return ZoneOffset.ofTotalSeconds(60 * offsetMinutes);
    }
  }
}
