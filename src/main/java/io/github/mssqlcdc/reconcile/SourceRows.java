package io.github.mssqlcdc.reconcile;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.plans.ChunkBounds;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/** How rows are read from the source. */
public interface SourceRows {
  /**
   * Its current rows in these ranges, with the number of their chunk.
   *
   * @param chunks null: the whole table, without numbers, in ranges that the source chooses
   */
  Dataset<Row> current(@Nullable List<ChunkBounds> chunks);

  /** Hands on the changes after a position, up to max LSN as it is now, in some parts. */
  void changes(Lsn after, Consumer<Dataset<Row>> part);
}
