package io.github.mssqlcdc.testkit.delta;

import io.github.mssqlcdc.testkit.spark.TestSession;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Frames as the sources give them, of a table with the columns {@code id} and {@code name}. */
public final class ChangeRows {
  public static final StructType SCHEMA =
      new StructType()
          .add("_capture_instance", DataTypes.StringType)
          .add("_start_lsn", DataTypes.StringType)
          .add("_seqval", DataTypes.StringType)
          .add("_operation", DataTypes.IntegerType)
          .add("_command_id", DataTypes.IntegerType)
          .add("_commit_ts", DataTypes.TimestampNTZType)
          .add("id", DataTypes.IntegerType)
          .add("name", DataTypes.StringType);

  private final List<Row> rows = new ArrayList<>();

  /** A change; its LSN is {@code lsn} as a number. */
  public ChangeRows change(int operation, long lsn, int id, String name) {
    rows.add(
        RowFactory.create("dbo_orders", lsn(lsn), lsn(lsn), operation, 1, time(lsn), id, name));
    return this;
  }

  /** A snapshot row. */
  public ChangeRows snapshot(String instance, long lsn, int id, String name) {
    rows.add(RowFactory.create(instance, lsn(lsn), null, 0, null, time(lsn), id, name));
    return this;
  }

  public Dataset<Row> frame() {
    return TestSession.get().createDataFrame(rows, SCHEMA);
  }

  /** The canonical text of an LSN given as a number. */
  public static String lsn(long number) {
    return String.format("0x%020X", number);
  }

  /** The commit time of an LSN given as a number. */
  public static LocalDateTime time(long lsn) {
    return LocalDateTime.of(2026, 10, 1, 12, 0).plusSeconds(lsn);
  }
}
