package io.github.mssqlcdc.silver;

import static org.apache.spark.sql.functions.not;

import io.github.mssqlcdc.bronze.BronzeColumns;
import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.bronze.Position;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.delta.table.Merge;
import io.github.mssqlcdc.delta.table.RowKey;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/**
 * Whether bronze is what silver may be made from.
 *
 * @param keys columns that identify a row, as bronze spells them
 */
record BronzeProof(LakeTable bronze, DeltaTableRef silver, List<String> keys) {

  /** Another bronze may take the place of silver's own, but not the bronze of another table. */
  void requireSameTable(SilverNote known) {
    String instance = known.instance();
    if (instance != null && !BronzeTable.hasRowOf(bronze, List.of(instance))) {
      throw refused(
          "Cannot apply '"
              + bronze.ref()
              + "' to '"
              + silver
              + "': it is another table than the one that silver was made from, and has no row of"
              + " capture instance '"
              + instance
              + "'. Give each table a silver of its own; if it is the same table's, drop '"
              + silver
              + "', and the next call builds it");
    }
  }

  /** What an image leaves out can't say whose it is. */
  BronzeRows.Look requireKeys(BronzeRows.Look look) {
    for (String key : keys) {
      if (look.unknown().stream().anyMatch(key::equalsIgnoreCase)) {
        throw refused(
            "Invalid key '"
                + key
                + "': images in '"
                + bronze.ref()
                + "' don't carry its value, as _unknown_columns says, so nothing tells whose they"
                + " are. Name columns that every image carries with .keys(…), and a new silver"
                + " table if '"
                + silver
                + "' was made with this one");
      }
    }
    return look;
  }

  /**
   * What is built anew must not lose rows because bronze no longer has what they were made from.
   *
   * @param held silver's rows
   * @param base the snapshot that silver will rest on; null: none
   * @param version of bronze
   */
  void requireImages(Dataset<Row> held, @Nullable Position base, long version) {
    Column isSame =
        keys.stream()
            .map(key -> Names.ofTable(key).eqNullSafe(Names.ofRow(key)))
            .reduce(Column::and)
            .orElseThrow();
    for (String name : List.of(BronzeColumns.HISTORY, BronzeColumns.START_LSN)) {
      isSame = isSame.and(Names.ofTable(name).equalTo(Names.ofRow(name)));
    }
    Dataset<Row> resting = base == null ? held : held.where(not(BronzeRows.isBefore(base)));
    List<Row> lost =
        resting
            .as(Merge.TABLE)
            .join(BronzeRows.images(bronze.readAt(version)).as(Merge.ROWS), isSame, "left_anti")
            .select(
                RowKey.json(keys.stream().map(Names::col).toArray(Column[]::new)),
                Names.col(BronzeColumns.START_LSN))
            .limit(1)
            .collectAsList();
    if (!lost.isEmpty()) {
      throw refused(
          "Cannot build '"
              + silver
              + "' anew from '"
              + bronze.ref()
              + "', which has dropped commits or files since the last call: it no longer has the"
              + " image that the row "
              + lost.get(0).getString(0)
              + " shows, of LSN "
              + lost.get(0).getString(1)
              + ", so silver would lose rows. Take a new snapshot with"
              + " snapshot(…).resnapshot(true), or drop silver to have what bronze still knows");
    }
  }

  private static InvalidRequestException refused(String message) {
    return new InvalidRequestException(ErrorCode.INVALID_TARGET, message);
  }
}
