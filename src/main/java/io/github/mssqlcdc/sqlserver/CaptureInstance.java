package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.lsn.Lsn;
import java.io.Serializable;
import java.time.LocalDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A capture instance as {@code sys.sp_cdc_help_change_data_capture} tells it.
 *
 * @param name the instance's exact name
 * @param sourceSchema schema of the source table
 * @param sourceTable name of the source table
 * @param changeTableId object id of its change table
 * @param sourceTableId object id of the source table
 * @param startLsn its first LSN; null until capture has seen the instance
 * @param created when it was created, on the server's clock; with the object id, its identity
 * @param keyColumns columns of the unique index that identifies a row, in index order; empty
 *     without one
 * @param hasCommandIds whether its change table has {@code __$command_id}: servers without the
 *     cumulative update of 2016 that brought it don't
 */
public record CaptureInstance(
    String name,
    String sourceSchema,
    String sourceTable,
    int changeTableId,
    int sourceTableId,
    @Nullable Lsn startLsn,
    LocalDateTime created,
    List<String> keyColumns,
    boolean hasCommandIds)
    implements Serializable {

  public CaptureInstance {
    keyColumns = List.copyOf(keyColumns);
  }

  /** One with command ids, as every server of today has them. */
  public CaptureInstance(
      String name,
      String sourceSchema,
      String sourceTable,
      int changeTableId,
      int sourceTableId,
      @Nullable Lsn startLsn,
      LocalDateTime created,
      List<String> keyColumns) {
    this(
        name,
        sourceSchema,
        sourceTable,
        changeTableId,
        sourceTableId,
        startLsn,
        created,
        keyColumns,
        true);
  }

  CaptureInstance withoutCommandIds() {
    return new CaptureInstance(
        name,
        sourceSchema,
        sourceTable,
        changeTableId,
        sourceTableId,
        startLsn,
        created,
        keyColumns,
        false);
  }

  /** Table and instance for a person: {@code dbo.orders (capture instance dbo_orders)}. */
  public String description() {
    return tableName() + " (capture instance " + name + ")";
  }

  /** The source table for a person: {@code dbo.orders}. */
  public String tableName() {
    return sourceSchema + "." + sourceTable;
  }
}
