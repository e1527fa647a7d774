package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.delta.StreamTables;
import io.github.mssqlcdc.testkit.history.Change;
import io.github.mssqlcdc.testkit.history.FollowedTable;
import io.github.mssqlcdc.testkit.history.FollowedTable.Fact;
import io.github.mssqlcdc.testkit.history.SourceTable;
import io.github.mssqlcdc.testkit.history.Step.Cap;
import io.github.mssqlcdc.testkit.history.Step.Run;
import io.github.mssqlcdc.testkit.spark.DiskFaults;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.commons.io.FileUtils;
import org.apache.spark.sql.streaming.Trigger;
import org.jspecify.annotations.Nullable;

/** A table on a server and the stream that follows it, through all its processes. */
final class LivedTable {
  private static final int FIRST_COLUMN = 5;

  final SourceTable source;
  private final TestDatabase database;
  private final String name;
  private final Path folder;
  private final boolean bootstrap;
  private final Set<Change> changes = new LinkedHashSet<>();

  /**
   * @param folder of both tables' lake; the facts are shared
   */
  LivedTable(TestDatabase database, String name, Path folder, boolean bootstrap) {
    this.database = database;
    this.name = name;
    this.folder = folder;
    this.bootstrap = bootstrap;
    this.source = new SourceTable("dbo." + name);
    database.run("CREATE TABLE dbo." + name + " (id int NOT NULL PRIMARY KEY, name nvarchar(9))");
  }

  void enable() {
    database.run(
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
            + name
            + "', @role_name = NULL");
  }

  /** Takes a part of what the stream has committed. */
  void cleanUp(int percent) {
    Lsn safe = position();
    if (safe.isZero()) {
      return;
    }
    List<Lsn> entries =
        database
            .query(
                "SELECT start_lsn FROM cdc.lsn_time_mapping WHERE start_lsn <= "
                    + safe
                    + " ORDER BY start_lsn")
            .stream()
            .map(row -> Lsn.of((byte[]) row.get(0)))
            .toList();
    int taken = entries.size() * percent / 100;
    if (taken > 0) {
      note();
      database.run(
          "EXEC sys.sp_cdc_cleanup_change_table @capture_instance = N'dbo_"
              + name
              + "', @low_water_mark = "
              + entries.get(taken - 1));
    }
  }

  /** Up to where batches are committed in Spark's log. */
  Lsn position() {
    Checkpoint checkpoint =
        new Checkpoint(path("checkpoint"), TestSession.get().sessionState().newHadoopConf());
    return LongStream.iterate(checkpoint.latestBatch().orElse(-1), n -> n >= 0, n -> n - 1)
        .filter(n -> Files.exists(Path.of(path("checkpoint"), "commits", String.valueOf(n))))
        .boxed()
        .findFirst()
        .flatMap(checkpoint::endOf)
        .map(end -> end.lsn())
        .orElse(Lsn.ZERO);
  }

  void run(Run run) throws Exception {
    forgetUnplanned();
    try (DiskFaults faults = DiskFaults.after(run.crashAt(), folder)) {
      try {
        request(run.cap(), run.partitions()).start().awaitTermination();
      } catch (Exception e) { // Spark throws checked exceptions undeclared
        assertThat(e).hasStackTraceContaining("The process is dead");
        assertThat(faults.hasStruck()).isTrue();
      }
    }
  }

  /** Of a crash in its very first file Spark's log keeps a trace that Spark itself refuses. */
  private void forgetUnplanned() throws IOException {
    Path checkpoint = Path.of(path("checkpoint"));
    if (Files.exists(checkpoint) && !Files.exists(checkpoint.resolve("offsets/0"))) {
      FileUtils.deleteDirectory(checkpoint.toFile());
    }
  }

  private DeltaStreamRequest request(Cap cap, int partitions) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_" + name);
    options.put("pollInterval", "1ms");
    options.put("numPartitions", String.valueOf(partitions));
    options.put(
        "maxCommitsPerBatch", cap.kind() == Cap.Kind.COMMITS ? String.valueOf(cap.count()) : "");
    options.put("maxRowsPerBatch", cap.kind() == Cap.Kind.ROWS ? String.valueOf(cap.count()) : "");
    return CdcStream.of(TestSession.get(), options)
        .toDelta(path("bronze"))
        .appId(name)
        .checkpoint(path("checkpoint"))
        .factsTable(facts())
        .bootstrap(bootstrap)
        .trigger(Trigger.AvailableNow());
  }

  /** Remembers what the change table holds. */
  private void note() {
    database
        .query(
            "SELECT [__$start_lsn], [__$command_id], [__$seqval], [__$operation], [id], [name]"
                + " FROM [cdc].[dbo_"
                + name
                + "_CT]")
        .forEach(
            row ->
                changes.add(
                    new Change(
                        new ChangePosition(
                            Lsn.of((byte[]) row.get(0)),
                            (Integer) row.get(1),
                            Lsn.of((byte[]) row.get(2)),
                            (Integer) row.get(3)),
                        (Integer) row.get(4),
                        (String) row.get(FIRST_COLUMN))));
  }

  void requireFollowed() {
    note();
    FollowedTable left = left();
    left.requireEachOnce(List.copyOf(changes), lsn -> false);
    left.requireFactsWithoutAHole(position());
    assertThat(left.latest()).isEqualTo(rows()).isEqualTo(source.rows());
  }

  private Map<Integer, String> rows() {
    Map<Integer, String> rows = new TreeMap<>();
    database
        .query("SELECT id, name FROM dbo." + name)
        .forEach(row -> rows.put((Integer) row.get(0), (String) row.get(1)));
    return rows;
  }

  private FollowedTable left() {
    StreamTables tables = new StreamTables(path("bronze"), facts());
    Lsn begin = Lsn.ZERO;
    List<Fact> batches = new ArrayList<>();
    for (String row : tables.sql("SELECT event, batch_id, rows, end_lsn FROM $facts")) {
      String[] of = row.split("\\|");
      if (of[0].equals("bootstrap")) {
        begin = Lsn.parse(of[3]);
      } else if (!of[0].equals("snapshot_open")) {
        batches.add(new Fact(Long.parseLong(of[1]), Long.parseLong(of[2]), Lsn.parse(of[3])));
      }
    }
    return new FollowedTable(begin, bronze(tables), batches);
  }

  private Map<Long, List<Change>> bronze(StreamTables tables) {
    Map<Long, List<Change>> bronze = new TreeMap<>();
    if (!Files.exists(Path.of(path("bronze")))) {
      return bronze;
    }
    for (String row :
        tables.sql(
            "SELECT coalesce(_batch_id, -1), _start_lsn, _command_id, coalesce(_seqval, '0x0'),"
                + " _operation, id, name FROM $bronze")) {
      String[] of = row.split("\\|");
      ChangePosition position =
          new ChangePosition(
              Lsn.parse(of[1]), number(of[2]), Lsn.parse(of[3]), Integer.parseInt(of[4]));
      bronze
          .computeIfAbsent(Long.valueOf(of[0]), batch -> new ArrayList<>())
          .add(new Change(position, Integer.parseInt(of[FIRST_COLUMN]), of[FIRST_COLUMN + 1]));
    }
    return bronze;
  }

  private static @Nullable Integer number(String text) {
    return text.equals("null") ? null : Integer.valueOf(text);
  }

  private String facts() {
    return folder.resolve("facts").toString();
  }

  private String path(String what) {
    return folder.resolve(name + "_" + what).toString();
  }
}
