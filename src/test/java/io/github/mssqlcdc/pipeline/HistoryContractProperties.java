package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.history.Histories;
import io.github.mssqlcdc.testkit.history.History;
import io.github.mssqlcdc.testkit.history.SourceTable.Effect;
import io.github.mssqlcdc.testkit.history.Statement;
import io.github.mssqlcdc.testkit.history.Step;
import io.github.mssqlcdc.testkit.log.MutedLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.apache.commons.io.FileUtils;

/**
 * Random histories from T-SQL to Delta: transactions over two tables, of which a stream follows
 * one, and processes that die at any file that they write.
 */
@Tag("spark")
@SuppressWarnings("NullAway.Init")
class HistoryContractProperties {
  private static final int STEPS = 5;

  /** Of two histories each, which keep two cores busy. */
  private static final int TRIES = 15;

  /** Files that a run of one batch creates and renames, about. */
  private static final int FILES = 25;

  private static final Step.Run LAST =
      new Step.Run(0, Integer.MAX_VALUE, new Step.Cap(Step.Cap.Kind.NONE, 0), 2, List.of(), 1);

  private static final ExecutorService BESIDE = Executors.newSingleThreadExecutor();

  private static TestDatabase database;
  private static Path home;
  private static MutedLog muted;

  @BeforeContainer
  static void open() throws Exception {
    home = Files.createTempDirectory("histories");
    database = TestDatabases.create();
    database.run(
        "CREATE TABLE dbo.other (id int IDENTITY PRIMARY KEY, name nvarchar(9))",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'other',"
            + " @role_name = NULL");
    // queries die here by dozens
    muted = MutedLog.of("org.apache.spark");
  }

  @AfterContainer
  static void close() throws Exception {
    muted.close();
    BESIDE.shutdown();
    database.close();
    FileUtils.deleteDirectory(home.toFile());
  }

  @Provide
  Arbitrary<History> histories() {
    return Histories.of(STEPS, FILES);
  }

  @Property(tries = TRIES, edgeCases = EdgeCasesMode.NONE)
  void whateverHappensBronzeHasEachCommitOnceAndTheSourcesRows(
      @ForAll("histories") History one, @ForAll("histories") History other) throws Exception {
    CompletableFuture<Void> beside = CompletableFuture.runAsync(() -> live(other), BESIDE);
    try {
      live(one);
    } finally {
      beside.join();
    }
  }

  private static void live(History life) {
    try {
      follow(life);
    } catch (Exception e) { // Spark throws checked exceptions undeclared
      throw new IllegalStateException(e);
    }
  }

  private static void follow(History life) throws Exception {
    String id = UUID.randomUUID().toString().substring(0, 8);
    Path folder = Files.createDirectory(home.resolve(id));
    List<LivedTable> tables =
        IntStream.range(0, 2)
            .mapToObj(i -> new LivedTable(database, "h" + id + i, folder, life.bootstrap()))
            .toList();
    if (life.bootstrap()) {
      commit(
          tables,
          IntStream.range(0, Statement.IDS)
              .mapToObj(row -> new Statement(Statement.Kind.PUT, row % 2, row))
              .toList());
    }
    tables.forEach(LivedTable::enable);
    database.awaitCapture();
    for (Step step : life.steps()) {
      live(tables, step);
    }
    tables.get(0).run(LAST);
    tables.get(0).requireFollowed();
  }

  private static void live(List<LivedTable> tables, Step step) throws Exception {
    if (step instanceof Step.Transaction transaction) {
      commit(tables, transaction.statements());
    } else if (step instanceof Step.Idle) {
      database.run("INSERT INTO dbo.other (name) VALUES (N'x')");
    } else if (step instanceof Step.Cleanup taken) {
      tables.get(0).cleanUp(taken.percent());
    } else if (step instanceof Step.Run run) {
      tables.get(0).run(run);
    }
    database.awaitCapture();
  }

  private static void commit(List<LivedTable> tables, List<Statement> statements) {
    String sql =
        statements.stream()
            .map(statement -> tables.get(statement.table()).source.apply(statement))
            .filter(effect -> !effect.images().isEmpty())
            .map(Effect::sql)
            .collect(Collectors.joining("; "));
    if (!sql.isEmpty()) {
      database.run("BEGIN TRAN; " + sql + "; COMMIT");
    }
  }
}
