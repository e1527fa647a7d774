package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.metric.BatchLedger;
import io.github.mssqlcdc.options.SchemaChangePolicy;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.source.row.CaptureSet;
import io.github.mssqlcdc.source.row.RowLayout;
import io.github.mssqlcdc.source.stream.RetentionGuard.OnLoss;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.testkit.source.FakeSqlServer;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

final class Fixtures {
  private Fixtures() {}

  /** The instances of the fake's table; nothing of their look-up counts as a call. */
  static Instances instances(FakeSqlServer server, OnLoss onLoss) {
    CaptureSet table = CaptureSet.load(new FakeSqlServer(), "dbo_orders");
    StreamOptions options =
        StreamOptions.parse(
            Map.of(
                "url",
                "jdbc:sqlserver://localhost;databaseName=shop",
                "captureInstance",
                "dbo_orders",
                "fetchSize",
                "4",
                "failOnDataLoss",
                String.valueOf(onLoss == OnLoss.FAIL)));
    return new Instances(
        server,
        () -> server,
        options,
        table,
        RowLayout.inferred(Set.of(RowLayout.Extra.COMMAND_ID), table.columns()));
  }

  /** What a stream of the fake's table reads. */
  static ChangeSource source(FakeSqlServer server, OnLoss onLoss) {
    return instances(server, onLoss).oldest();
  }

  static BatchPlanner planner(
      FakeSqlServer server, OnLoss onLoss, BatchLedger ledger, int partitions) {
    return planner(server, onLoss, ledger, partitions, new HistoryCheck("dbo_orders"));
  }

  static BatchPlanner planner(
      FakeSqlServer server,
      OnLoss onLoss,
      BatchLedger ledger,
      int partitions,
      HistoryCheck history) {
    Instances instances = instances(server, onLoss);
    return new BatchPlanner(
        server,
        instances,
        watch(server, instances, ledger),
        history,
        ledger,
        new RangePlanner(2),
        partitions,
        Duration.ofMillis(1));
  }

  static SchemaWatch watch(SqlServer server, Instances instances, BatchLedger ledger) {
    return new SchemaWatch(server, instances, SchemaChangePolicy.CLASSIFY, ledger);
  }
}
