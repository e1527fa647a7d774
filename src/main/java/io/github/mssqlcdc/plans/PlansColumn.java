package io.github.mssqlcdc.plans;

import io.github.mssqlcdc.delta.schema.TableColumn;
import io.github.mssqlcdc.delta.schema.VersionedTable;
import java.util.Locale;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;

/** The columns of the plans table, in their order. Times are UTC, without a zone. */
enum PlansColumn implements TableColumn {
  APP_ID(DataTypes.StringType, "Application id of the stream"),
  SNAPSHOT(DataTypes.StringType, "LSN that the snapshot stands for"),
  OPEN(DataTypes.IntegerType, "Number of the open that the entry belongs to"),
  ENTRY(
      DataTypes.StringType,
      "open: extent of the key; plan: a planned chunk; chunk: one as it was read; wave: those read"
          + " and committed together, with the totals up to it"),
  KIND(DataTypes.StringType, "How the key is cut: int or keyset; null without a usable key"),
  KEYS(DataTypes.StringType, "JSON list of the columns that the table is cut on"),
  CHUNK(DataTypes.IntegerType, "Number of the chunk; of a wave that of its last chunk"),
  WAVE(DataTypes.IntegerType, "Number of the wave; null where it isn't known yet"),
  CHUNKS(DataTypes.IntegerType, "How many chunks the wave has"),
  LO(DataTypes.StringType, "First key, as JSON, null where open; MIN of an open"),
  HI(DataTypes.StringType, "First key above, as JSON, null where open; MAX of an open"),
  ROWS(
      DataTypes.LongType,
      "open: estimated; plan: counted, null where not; chunk: read; wave: read up to it"),
  CHUNK_ROWS(DataTypes.LongType, "plan: how many rows a chunk was to have"),
  BYTES(DataTypes.LongType, "Size of the values read; of a wave up to it"),
  LAST(DataTypes.BooleanType, "Whether it is, or has, the last chunk of the plan"),
  POSITION(
      DataTypes.StringType, "JSON of the position: S of an open, the stamp of a chunk or a wave"),
  HISTORY(DataTypes.IntegerType, "History of the source that the position belongs to"),
  HIGH_LSN(DataTypes.StringType, "Max LSN after the chunk was read"),
  READ_SECONDS(DataTypes.DoubleType, "Time spent reading the chunk; null where not known"),
  ATTEMPT(DataTypes.StringType, "Who read the wave: the Spark application, and the call"),
  STARTED_AT(DataTypes.TimestampNTZType, "When the wave was stamped, UTC"),
  DURATION_MS(DataTypes.LongType, "How long the wave took to be read and committed, milliseconds"),
  WRITTEN_AT(DataTypes.TimestampNTZType, "When this entry was built, UTC");

  private final StructField field;

  PlansColumn(DataType type, String comment) {
    this.field = VersionedTable.column(name().toLowerCase(Locale.ROOT), type, comment);
  }

  @Override
  public StructField field() {
    return field;
  }

  /** Delta refuses to keep minimum and maximum of a Boolean. */
  boolean hasStatistics() {
    return !(field.dataType() instanceof BooleanType) && this != KEYS && this != LO && this != HI;
  }
}
