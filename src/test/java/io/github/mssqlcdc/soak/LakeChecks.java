package io.github.mssqlcdc.soak;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** What bronze and the facts have to be like, whatever has happened on the way. */
final class LakeChecks {
  private static final String POSITION = "_start_lsn, _command_id, _seqval, _operation";
  private static final String VALUES = "name, amount, version";

  private final SparkSession spark;
  private final String bronze;
  private final String facts;

  /**
   * @param bronze as it stands in SQL
   * @param facts likewise
   */
  LakeChecks(SparkSession spark, String bronze, String facts) {
    this.spark = spark;
    this.bronze = bronze;
    this.facts = facts;
  }

  /**
   * @param source the table as it is now
   * @return what is wrong
   */
  List<String> faults(Dataset<Row> source) {
    List<String> faults = new ArrayList<>();
    source.createOrReplaceTempView("source");
    require(
        faults,
        "keys whose latest image isn't the source's row",
        "SELECT coalesce(b.id, s.id) FROM ("
            + latest()
            + ") b FULL JOIN source s ON b.id = s.id WHERE NOT (b.name <=> s.name AND b.amount <=>"
            + " s.amount AND b.version <=> s.version AND b.note <=> s.note)");
    require(
        faults,
        "changes that are there more than once",
        "SELECT "
            + POSITION
            + " FROM "
            + bronze
            + " WHERE _operation > 0 GROUP BY "
            + POSITION
            + " HAVING count(*) > 1");
    require(
        faults,
        "images that don't begin with what the change before has left",
        "SELECT id FROM (SELECT *, lag(struct(_operation, "
            + VALUES
            + ")) OVER (PARTITION BY id"
            + " ORDER BY "
            + POSITION
            + ") AS before FROM "
            + bronze
            + " WHERE _operation > 0)"
            + " WHERE before IS NOT NULL AND CASE WHEN _operation IN (1, 3) THEN NOT"
            + " (before._operation IN (2, 4) AND struct("
            + VALUES
            + ") <=> struct(before.name,"
            + " before.amount, before.version)) WHEN _operation = 2 THEN before._operation <> 1"
            + " ELSE before._operation <> 3 END");
    require(
        faults,
        "batches that the facts have not, or not once, or with other rows or ends than bronze",
        "SELECT coalesce(f.batch_id, b._batch_id) FROM (SELECT batch_id, count(*) AS n, max(rows)"
            + " AS rows, max(min_lsn) AS lo, max(max_lsn) AS hi FROM "
            + facts
            + " WHERE event IS"
            + " NULL GROUP BY batch_id) f FULL JOIN (SELECT _batch_id, count(*) AS rows,"
            + " min(_start_lsn) AS lo, max(_start_lsn) AS hi FROM "
            + bronze
            + " WHERE _operation >"
            + " 0 GROUP BY _batch_id) b ON f.batch_id = b._batch_id WHERE NOT (coalesce(f.n, 0) = 1"
            + " AND f.rows = coalesce(b.rows, 0) AND f.lo <=> b.lo AND f.hi <=> b.hi)");
    require(
        faults,
        "numbers of batches that are missing in the facts",
        "SELECT batch_id FROM (SELECT batch_id, lag(batch_id) OVER (ORDER BY batch_id) AS last FROM "
            + facts
            + " WHERE event IS NULL) WHERE batch_id <> coalesce(last + 1, batch_id)");
    require(
        faults, "losses in the facts", "SELECT event FROM " + facts + " WHERE event LIKE '%loss%'");
    return faults;
  }

  private String latest() {
    return "SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY id ORDER BY _history DESC,"
        + " _start_lsn DESC, _command_id DESC, _seqval DESC, _operation DESC) AS place FROM "
        + bronze
        + ") WHERE place = 1 AND _operation <> 1";
  }

  private void require(List<String> faults, String what, String query) {
    List<Row> found = spark.sql(query).collectAsList();
    if (!found.isEmpty()) {
      faults.add(found.size() + " " + what + ": " + found.subList(0, Math.min(5, found.size())));
    }
  }

  /** Batches, and the rows of their changes. */
  Row totals() {
    return spark.sql("SELECT count(*), sum(rows) FROM " + facts + " WHERE event IS NULL").head();
  }
}
