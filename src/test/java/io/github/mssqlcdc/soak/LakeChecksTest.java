package io.github.mssqlcdc.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.spark.TestSession;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A soak that can't fail would be worth nothing: each kind of damage is seen. */
@Tag("spark")
final class LakeChecksTest {
  private static final String BRONZE =
      "SELECT * FROM VALUES (0, 'A', 1, '1', 2, 0, 1, 'a', 10, 0), (0, 'B', 1, '1', 3, 1, 1, 'a',"
          + " 10, 0), (0, 'B', 1, '1', 4, 1, 1, 'b', 11, 1), (0, 'B', 2, '2', 2, 1, 2, 'c', 12, 0),"
          + " (0, 'C', 1, '1', 1, 2, 2, 'c', 12, 0) AS t(_history, _start_lsn, _command_id,"
          + " _seqval, _operation, _batch_id, id, name, amount, version)";
  private static final String FACTS =
      "SELECT * FROM VALUES (0, 1, 'A', 'A', NULL), (1, 3, 'B', 'B', NULL), (2, 1, 'C', 'C', NULL)"
          + " AS t(batch_id, rows, min_lsn, max_lsn, event)";
  private static final String SOURCE = "SELECT 1 AS id, 'b' AS name, 11 AS amount, 1 AS version";

  private final SparkSession spark = TestSession.get();

  @BeforeEach
  void wholeLake() {
    bronze(BRONZE);
    facts(FACTS);
  }

  @Test
  void aWholeLakeHasNoFaults() {
    assertThat(faults(SOURCE)).isEmpty();
  }

  @Test
  void aRowThatIsNotTheSourcesIsSeen() {
    assertThat(faults("SELECT 1 AS id, 'b' AS name, 12 AS amount, 1 AS version"))
        .containsExactly("1 keys whose latest image isn't the source's row: [[1]]");
    assertThat(faults(SOURCE + " UNION ALL SELECT 3, 'x', 1, 0"))
        .containsExactly("1 keys whose latest image isn't the source's row: [[3]]");
  }

  @Test
  void aChangeThatIsThereTwiceIsSeen() {
    bronze(BRONZE + " UNION ALL " + BRONZE + " WHERE _start_lsn = 'C'");
    assertThat(faults(SOURCE))
        .anyMatch(fault -> fault.contains("there more than once: [[C,1,1,1]]"));
  }

  @Test
  void aChangeThatIsMissingIsSeenThoughTheLatestImageIsRight() {
    bronze(BRONZE + " WHERE NOT (id = 1 AND _operation = 3)");
    facts(FACTS.replace("(1, 3,", "(1, 2,"));
    assertThat(faults(SOURCE))
        .containsExactly("1 images that don't begin with what the change before has left: [[1]]");
  }

  @Test
  void aHoleInTheFactsIsSeen() {
    facts(FACTS + " WHERE batch_id <> 1");
    assertThat(faults(SOURCE))
        .hasSize(2)
        .anyMatch(fault -> fault.endsWith("with other rows or ends than bronze: [[1]]"))
        .anyMatch(fault -> fault.endsWith("missing in the facts: [[2]]"));
  }

  @Test
  void aLossIsSeen() {
    facts(FACTS + " UNION ALL SELECT NULL, NULL, NULL, NULL, 'data_loss'");
    assertThat(faults(SOURCE)).containsExactly("1 losses in the facts: [[data_loss]]");
  }

  private void bronze(String rows) {
    spark.sql(rows).selectExpr("*", "'n' AS note").createOrReplaceTempView("soak_bronze");
  }

  private void facts(String rows) {
    spark.sql(rows).createOrReplaceTempView("soak_facts");
  }

  private List<String> faults(String source) {
    return new LakeChecks(spark, "soak_bronze", "soak_facts")
        .faults(spark.sql(source).selectExpr("*", "'n' AS note"));
  }
}
