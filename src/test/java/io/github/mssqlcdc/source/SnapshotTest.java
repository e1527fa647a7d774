package io.github.mssqlcdc.source;

import static io.github.mssqlcdc.testkit.source.FakeSqlServer.lsn;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.registry.JvmRegistry;
import io.github.mssqlcdc.testkit.source.FakeSqlServer;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spark")
class SnapshotTest {
  private final String name = "fake_" + UUID.randomUUID();
  private final FakeSqlServer server = new FakeSqlServer();
  private final Map<String, String> options = new HashMap<>();

  @BeforeEach
  void register() {
    JvmRegistry.shared(FakeSqlServer.class, name, () -> server);
    options.put("url", "jdbc:sqlserver://fake;databaseName=fake");
    options.put("password", "s3cret");
    options.put("captureInstance", name);
    options.put("numPartitions", "4");
    server.insert(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
  }

  @AfterEach
  void forget() {
    JvmRegistry.remove(FakeSqlServer.class, name);
  }

  @Test
  void stampsEveryRowWithTheLsnRecordedBeforeTheRead() {
    List<Row> rows = load().orderBy("id").collectAsList();

    assertThat(rows).hasSize(10);
    assertThat(rows.get(3).toSeq().mkString("|"))
        .isEqualTo(
            "dbo_orders|"
                + lsn(10)
                + "|null|0|null|"
                + FakeSqlServer.EPOCH.plusMinutes(1).plusHours(3)
                + "|3|row 3");
    assertThat(server.calls().indexOf("snapshotStamp"))
        .isLessThan(server.calls().indexOf("readTable"));
  }

  @Test
  void readsAnIntegerKeyInSlices() {
    assertThat(load().javaRDD().glom().map(List::size).collect()).containsExactly(2, 3, 2, 3);
  }

  @Test
  void takesAStampOfItsOwnForEachRead() {
    Dataset<Row> snapshot = load();
    snapshot.collectAsList();
    server.insert(10);

    assertThat(snapshot.select("_start_lsn").distinct().collectAsList())
        .extracting(row -> row.getString(0))
        .containsExactly(lsn(11).toString());
  }

  @Test
  void takesTheStampFromTheOptions() {
    Offset stamp = new Offset(lsn(7), FakeSqlServer.EPOCH, null);
    options.put("_snapshotOffset", stamp.json());

    Row row = load().first();

    assertThat(row.getString(1)).isEqualTo(lsn(7).toString());
    assertThat(row.<Object>getAs("_commit_ts")).isEqualTo(FakeSqlServer.EPOCH);
    assertThat(server.calls()).doesNotContain("snapshotStamp");
  }

  @Test
  void isATemporaryViewOfSqlAndShowsNoSecret() {
    TestSession.get()
        .sql(
            "CREATE OR REPLACE TEMPORARY VIEW orders USING "
                + FakeSnapshotProvider.class.getName()
                + " OPTIONS (url '"
                + options.get("url")
                + "', password 's3cret', captureInstance '"
                + name
                + "')");

    assertThat(TestSession.get().sql("SELECT count(*), sum(id) FROM orders").first())
        .extracting(Row::mkString)
        .isEqualTo("1045");
    assertThat(explained(TestSession.get().table("orders")))
        .contains("mssql_cdc_snapshot dbo.orders (capture instance dbo_orders)")
        .doesNotContain("s3cret");
  }

  private Dataset<Row> load() {
    return TestSession.get()
        .read()
        .format(FakeSnapshotProvider.class.getName())
        .options(options)
        .load();
  }

  private static String explained(Dataset<Row> dataset) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    scala.Console.withOut(
        new PrintStream(text, true, StandardCharsets.UTF_8),
        () -> {
          dataset.explain("formatted");
          return null;
        });
    return text.toString(StandardCharsets.UTF_8);
  }
}
