package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.SessionContext;
import java.time.LocalDateTime;
import java.util.HexFormat;
import java.util.Locale;

/**
 * {@code sys.sp_cdc_cleanup_change_table}: moves the low mark of one instance, deletes its rows
 * below it, then what the LSN map holds below the lowest mark of all.
 */
final class CleanupChangeTable extends CdcProcedure {
  private static final int DEFAULT_THRESHOLD = 5000;

  CleanupChangeTable(CdcDatabase database) {
    super(
        database,
        "sp_cdc_cleanup_change_table",
        "@capture_instance",
        "@low_water_mark",
        "@threshold");
  }

  @Override
  int run(SessionContext session, Arguments arguments, ResponseSink out) throws SqlServerError {
    requireOwner(session);
    String name = arguments.requireText("@capture_instance");
    arguments.require("@low_water_mark");
    CaptureInstance instance =
        database()
            .instances()
            .find(name)
            .orElseThrow(() -> CdcErrors.unknownInstance(name, database().name()));
    Long threshold = arguments.number("@threshold");
    int batch = threshold == null ? DEFAULT_THRESHOLD : Math.toIntExact(threshold);
    if (batch <= 0) {
      throw CdcErrors.badThreshold();
    }
    byte[] asked = arguments.bytes("@low_water_mark");
    if (asked != null) {
      byte[] mark = mark(asked);
      database().cleanup(cleanup -> cleanup.moveMark(instance, mark));
    }
    database().cleanup(cleanup -> cleanup.deleteChanges(instance, batch));
    database().cleanup(Cleanup::trimMap);
    return 0;
  }

  /** The smallest LSN that shares the commit time of the one asked for. */
  private byte[] mark(byte[] asked) throws SqlServerError {
    LocalDateTime time = database().map().endTime(asked);
    byte[] mark = time == null ? null : database().map().smallest(">=", time);
    if (mark == null) {
      String text = HexFormat.of().formatHex(asked).toUpperCase(Locale.ROOT);
      throw CdcErrors.badLowWaterMark("0x" + text);
    }
    return mark;
  }
}
