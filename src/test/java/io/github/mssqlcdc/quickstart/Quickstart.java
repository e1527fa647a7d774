package io.github.mssqlcdc.quickstart;

import static org.apache.spark.sql.functions.col;

import io.github.mssqlcdc.metric.ReconcileResult;
import io.github.mssqlcdc.pipeline.ApplyResult;
import io.github.mssqlcdc.quickstart.ServerSource.Afterwards;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * The main job from end to end: a table older than CDC, a bootstrap, changes, a second run of the
 * stream, silver after each, a comparison with the source, and one that doesn't rest on the
 * library. A further run in the same folder resumes from the checkpoint.
 *
 * <p>Without properties it works on the stand-in. {@code -Dsqlserver.url} and {@code
 * -Dsqlserver.user}, with the password in {@code MSSQL_PASSWORD}, name a real database instead;
 * {@code -Dquickstart.keep=true} keeps the table there for a second run.
 */
public final class Quickstart {
  private final Narrator narrator;
  private final OrdersSource source;
  private final Orders orders;
  private final Lake lake;
  private final List<String> failures = new ArrayList<>();

  private Quickstart(Narrator narrator, OrdersSource source, Lake lake) {
    this.narrator = narrator;
    this.source = source;
    this.orders = new Orders(source.table());
    this.lake = lake;
  }

  /** Runs it; exits with 0 if all is as it should be, else with 1. */
  public static void main(String[] args) {
    System.exit(run(new Narrator(System.out)));
  }

  private static int run(Narrator narrator) {
    try {
      String url = System.getProperty("sqlserver.url", "");
      List<String> failures = url.isEmpty() ? onStandIn(narrator) : onServer(narrator, url);
      narrator.line("");
      failures.forEach(failure -> narrator.line("differs: " + failure));
      narrator.line(failures.isEmpty() ? "quickstart: OK" : "quickstart: FAILED");
      return failures.isEmpty() ? 0 : 1;
    } catch (Exception e) {
      e.printStackTrace();
      narrator.line("quickstart: FAILED: " + e.getMessage());
      return 1;
    }
  }

  private static List<String> onStandIn(Narrator narrator) throws Exception {
    Path folder = Path.of("target", "quickstart").toAbsolutePath();
    Path script = folder.resolve("source").resolve("script.jsonl");
    Lake lake = new Lake(folder);
    narrator.step("Starting the stand-in of SQL Server");
    try (StandInSource source = StandInSource.start(script, lake)) {
      return new Quickstart(narrator, source, lake).work();
    }
  }

  private static List<String> onServer(Narrator narrator, String url) throws Exception {
    String password = System.getenv("MSSQL_PASSWORD");
    String user = System.getProperty("sqlserver.user", "");
    if (user.isEmpty() || password == null) {
      throw new IllegalArgumentException(
          "Missing login: set -Dsqlserver.user=… and the password in MSSQL_PASSWORD");
    }
    Path folder = Path.of("target", "quickstart-sqlserver").toAbsolutePath();
    Path state = folder.resolve("source.properties");
    Lake lake = new Lake(folder);
    var afterwards = Boolean.getBoolean("quickstart.keep") ? Afterwards.KEEP : Afterwards.DROP;
    narrator.step("Connecting");
    try (var source = ServerSource.connect(url, user, password, afterwards, state, lake)) {
      return new Quickstart(narrator, source, lake).work();
    }
  }

  private List<String> work() throws Exception {
    narrator.step("Source: %s", source.description());
    narrator.step("Starting Spark");
    SparkSession spark = lake.session();
    try {
      Ingestion ingestion = new Ingestion(spark, source, lake, narrator);
      Judge judge = new Judge(spark, source);
      if (source.isNew()) {
        lake.delete();
        prepare();
        narrator.step("Stream, first run: takes the snapshot, then what was captured since");
        tell(ingestion.run());
      } else {
        narrator.step("Found the checkpoint of an earlier run: going on from there");
      }
      lake.register(spark);
      State before = State.read(spark);
      change();
      narrator.step("Stream, next run: reads what is new after %s", before.endLsn());
      ApplyResult silver = ingestion.run();
      tell(silver);
      narrator.step("Comparing silver with the source");
      ReconcileResult compared = ingestion.reconcile();
      narrator.step("Comparing bronze and silver with the source, without the library");
      lake.register(spark);
      report(spark, judge, before);
      reportSilver(spark, judge, silver, compared);
      return failures;
    } finally {
      spark.stop();
    }
  }

  private void tell(ApplyResult silver) {
    narrator.step("  silver: every change up to %s is applied", silver.appliedLsn());
  }

  private void prepare() {
    narrator.step(
        "Making dbo.%s with %,d rows, then enabling CDC", source.table(), Orders.OLD_ROWS);
    source.run(List.of(orders.create()));
    source.run(orders.oldRows());
    source.run(List.of(Orders.enableCdc(source.table())));
    source.awaitCapture();
  }

  private void change() {
    int round = source.rounds() + 1;
    narrator.step("Changing it: inserts, updates, deletes, a key, a transaction (round %d)", round);
    source.runRound(orders.round(round));
    source.awaitCapture();
  }

  private void report(SparkSession spark, Judge judge, State before) {
    Report report = new Report(spark, narrator);
    report.facts();
    report.history(Orders.WATCHED_KEY);
    State after = State.read(spark);
    long captured = judge.changesAfter(before.endLsn());
    long appended = State.changesAfter(spark, before.endLsn());
    Judge.Verdict verdict = judge.latestEqualsSource();
    narrator.line("");
    narrator.line(
        "Rows captured after the last run: %,d; appended: %,d".formatted(captured, appended));
    narrator.line("Snapshot rows: %,d, once over all runs".formatted(after.snapshotRows()));
    narrator.line("Latest image per key: " + told(verdict));
    if (captured != appended) {
      failures.add(captured + " change rows on the server, but " + appended + " were appended");
    }
    if (after.snapshotRows() != Orders.OLD_ROWS) {
      failures.add(after.snapshotRows() + " snapshot rows, not " + Orders.OLD_ROWS);
    }
    failures.addAll(verdict.differences());
  }

  private void reportSilver(
      SparkSession spark, Judge judge, ApplyResult silver, ReconcileResult compared) {
    State state = State.read(spark);
    Judge.Verdict verdict = judge.silverEqualsSource();
    narrator.line("Silver: " + told(verdict) + "; final until " + silver.finalizedUntil() + " UTC");
    narrator.line("");
    narrator.line(compared.summary());
    failures.addAll(verdict.differences());
    if (!state.endLsn().equals(String.valueOf(silver.appliedLsn()))) {
      failures.add("silver is at " + silver.appliedLsn() + ", and bronze at " + state.endLsn());
    }
    if (!Objects.equals(state.endMinute(), silver.finalizedUntil())) {
      failures.add(
          "silver is final until " + silver.finalizedUntil() + ", not " + state.endMinute());
    }
    if (!compared.isClean() || compared.match() != compared.hashed()) {
      failures.add("reconcile doesn't find silver and source equal");
    }
  }

  private static String told(Judge.Verdict verdict) {
    return "%,d rows; source table: %,d rows; %s"
        .formatted(
            verdict.latestRows(),
            verdict.sourceRows(),
            verdict.differences().isEmpty() ? "equal, row by row" : "NOT equal");
  }

  /**
   * How far bronze is.
   *
   * @param endLsn where the last batch ended
   * @param endMinute the minute of its commit time; null if it has none
   */
  private record State(long snapshotRows, String endLsn, @Nullable LocalDateTime endMinute) {
    static State read(SparkSession spark) {
      var bronze = spark.sql("SELECT count_if(_operation = 0) FROM bronze").collectAsList().get(0);
      var facts =
          spark.sql("SELECT max(end_lsn), max(end_commit_ts) FROM facts").collectAsList().get(0);
      LocalDateTime end = facts.getAs(1);
      return new State(
          bronze.getLong(0),
          facts.getString(0),
          end == null ? null : end.truncatedTo(ChronoUnit.MINUTES));
    }

    /** Change rows in bronze above an LSN: a batch that a killed run left without facts counts. */
    static long changesAfter(SparkSession spark, String lsn) {
      return spark
          .table("bronze")
          .where(col("_operation").notEqual(0).and(col("_start_lsn").gt(lsn)))
          .count();
    }
  }
}
