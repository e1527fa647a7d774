package io.github.mssqlcdc.facts;

import io.github.mssqlcdc.delta.schema.TableColumn;
import io.github.mssqlcdc.delta.schema.VersionedTable;
import java.time.LocalDateTime;
import java.util.Locale;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;

/** The columns of the facts table, in their order. Times are UTC, without a zone. */
public enum FactsColumn implements TableColumn {
  APP_ID(DataTypes.StringType, "Sink: the appId, with .g<n> in generation n"),
  BATCH_ID(DataTypes.LongType, "Micro-batch; null on snapshot events"),
  ROWS(DataTypes.LongType, "Rows appended; 0 on the event rows of a batch"),
  MIN_LSN(DataTypes.StringType, "Lowest commit LSN of the rows, or the event's LSN"),
  MAX_LSN(DataTypes.StringType, "Highest commit LSN of the rows, or the event's LSN"),
  MIN_COMMIT_TS(DataTypes.TimestampNTZType, "Earliest commit time of the rows, UTC"),
  MAX_COMMIT_TS(DataTypes.TimestampNTZType, "Latest commit time of the rows, UTC"),
  DELETES(DataTypes.LongType, "Deletes among the rows"),
  INSERTS(DataTypes.LongType, "Inserts among the rows"),
  UPDATES(DataTypes.LongType, "Updates among the rows, each counted once"),
  STARTED_AT(DataTypes.TimestampNTZType, "When the work began, UTC"),
  DURATION_MS(DataTypes.LongType, "How long it took, milliseconds"),
  SOURCE_RTT_MS(DataTypes.DoubleType, "Round trip to the source, milliseconds"),
  READ_SECONDS(DataTypes.DoubleType, "Time spent reading, summed over the ranges"),
  READ_MB(DataTypes.DoubleType, "Size of the values read, millions of bytes"),
  NETWORK_WAIT_MS(
      DataTypes.LongType, "How long the source's sessions waited on sending, milliseconds"),
  RETENTION_WATERMARK_TS(
      DataTypes.TimestampNTZType, "Commit time of the oldest change that the source keeps, UTC"),
  RETENTION_HEADROOM_HOURS(
      DataTypes.DoubleType, "end_commit_ts minus retention_watermark_ts, hours"),
  EVENT(DataTypes.StringType, "What happened; null for a micro-batch"),
  LOST_FROM_TS(DataTypes.TimestampNTZType, "Where a gap of lost changes begins, UTC"),
  LOST_TO_TS(DataTypes.TimestampNTZType, "Where it ends, UTC"),
  SOURCE_MAX_COMMIT_TS(
      DataTypes.TimestampNTZType, "Newest commit captured in the whole source database, UTC"),
  CAPTURE_LAG_SECONDS(DataTypes.DoubleType, "Now on the source minus source_max_commit_ts"),
  INGESTION_LAG_SECONDS(DataTypes.DoubleType, "source_max_commit_ts minus end_commit_ts"),
  END_LSN(DataTypes.StringType, "LSN of the position that the batch ended at"),
  END_COMMIT_TS(DataTypes.TimestampNTZType, "Commit time of that position, UTC"),
  END_AT(DataTypes.TimestampNTZType, "The source's own time of that position, as it stands there"),
  DETAIL(DataTypes.StringType, "JSON: more about the event, or a batch's warnings"),
  TARGET(DataTypes.StringType, "Bronze table, as the caller spelt it"),
  WRITTEN_AT(DataTypes.TimestampNTZType, "When this row was built, UTC");

  private final StructField field;

  FactsColumn(DataType type, String comment) {
    this.field = VersionedTable.column(name().toLowerCase(Locale.ROOT), type, comment);
  }

  @Override
  public StructField field() {
    return field;
  }

  boolean holds(Object value) {
    DataType type = field.dataType();
    if (type.equals(DataTypes.StringType)) {
      return value instanceof String;
    }
    if (type.equals(DataTypes.LongType)) {
      return value instanceof Long;
    }
    return type.equals(DataTypes.DoubleType)
        ? value instanceof Double
        : value instanceof LocalDateTime;
  }
}
