package io.github.mssqlcdc.delta.table;

import io.delta.tables.DeltaMergeBuilder;
import io.delta.tables.DeltaTable;
import io.github.mssqlcdc.delta.table.Merge.Clause;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.SparkSession;

/**
 * Delta's own MERGE. Its transaction id and note are settings of the session, so it runs in a copy
 * of the caller's.
 */
record MergeInto(SparkSession spark, DeltaTableRef ref) {
  private static final String APP_ID = "spark.databricks.delta.write.txnAppId";
  private static final String VERSION = "spark.databricks.delta.write.txnVersion";
  private static final String NOTE = "spark.databricks.delta.commitInfo.userMetadata";

  void run(Merge merge) {
    SparkSession own = ((org.apache.spark.sql.classic.SparkSession) spark).cloneSession();
    if (merge.id() != null) {
      own.conf().set(APP_ID, merge.id().appId());
      own.conf().set(VERSION, merge.id().version());
    }
    if (merge.note() != null) {
      own.conf().set(NOTE, merge.note());
    }
    DeltaTable table =
        ref.isPath() ? DeltaTable.forPath(own, ref.text()) : DeltaTable.forName(own, ref.text());
    DeltaMergeBuilder builder =
        table.as(Merge.TABLE).merge(merge.rows().as(Merge.ROWS), merge.on());
    for (Clause clause : merge.clauses()) {
      builder = with(builder, clause);
    }
    var unused = builder.execute();
  }

  private static DeltaMergeBuilder with(DeltaMergeBuilder builder, Clause clause) {
    if (clause instanceof Clause.Update update) {
      return builder.whenMatched(update.when()).update(quoted(update.values()));
    }
    if (clause instanceof Clause.Insert insert) {
      return builder.whenNotMatched(insert.when()).insert(quoted(insert.values()));
    }
    return builder.whenMatched(((Clause.Delete) clause).when()).delete();
  }

  /** Delta parses the names. */
  private static Map<String, Column> quoted(Map<String, Column> values) {
    Map<String, Column> quoted = new LinkedHashMap<>();
    values.forEach((name, value) -> quoted.put(ColumnNames.quoted(name), value));
    return quoted;
  }
}
