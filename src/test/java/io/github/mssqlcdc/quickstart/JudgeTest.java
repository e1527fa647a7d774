package io.github.mssqlcdc.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.quickstart.Judge.Verdict;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A judge that can't say no would be worth nothing. */
@Tag("spark")
final class JudgeTest {
  private static final String IMAGE =
      "SELECT *, 0 AS _history, '0x00000000000000000001' AS _start_lsn, CAST(NULL AS INT)"
          + " AS _command_id, CAST(NULL AS STRING) AS _seqval, 0 AS _operation FROM ";

  private static SparkSession spark;
  private static StandInSource source;

  @BeforeAll
  static void fillTheSource(@TempDir Path folder) {
    spark = TestSession.get();
    source = StandInSource.start(folder.resolve("script.jsonl"), new Lake(folder));
    Orders orders = new Orders(source.table());
    source.run(List.of(orders.create(), orders.oldRows().get(0)));
    new Judge(spark, source).readSource().createOrReplaceTempView("orders_read");
  }

  @AfterAll
  static void close() {
    source.close();
  }

  @Test
  void isContentWhenTheLatestImagesAreTheSource() {
    bronze("orders_read");

    Verdict verdict = new Judge(spark, source).latestEqualsSource();

    assertThat(verdict).isEqualTo(new Verdict(1_000, 1_000, List.of()));
  }

  @Test
  void namesARowThatIsMissing() {
    bronze("(SELECT * FROM orders_read WHERE order_id <> 42)");

    Verdict verdict = new Judge(spark, source).latestEqualsSource();

    assertThat(verdict.differences())
        .hasSize(2)
        .first(InstanceOfAssertFactories.STRING)
        .isEqualTo("1 rows only in the source, for example");
    assertThat(verdict.differences().get(1)).startsWith("  [42,");
  }

  @Test
  void namesBothSidesOfARowThatDiffers() {
    bronze(
        "(SELECT order_id, order_ref, customer_id, status, items, express, currency,"
            + " CAST(if(order_id = 7, amount + 0.01, amount) AS DECIMAL(12, 2)) AS amount,"
            + " discount, note, ordered_at, shipped_on FROM orders_read)");

    Verdict verdict = new Judge(spark, source).latestEqualsSource();

    assertThat(verdict.differences())
        .contains("1 rows only in the source, for example", "1 rows only in bronze, for example");
  }

  @Test
  void namesARowThatOnlySilverHas() {
    spark
        .sql("SELECT * FROM orders_read UNION ALL SELECT * FROM orders_read WHERE order_id = 9")
        .createOrReplaceTempView("silver");

    Verdict verdict = new Judge(spark, source).silverEqualsSource();

    assertThat(verdict.latestRows()).isEqualTo(1_001);
    assertThat(verdict.differences()).first().isEqualTo("1 rows only in silver, for example");
  }

  private static void bronze(String rows) {
    spark.sql(IMAGE + rows).createOrReplaceTempView("bronze");
  }
}
