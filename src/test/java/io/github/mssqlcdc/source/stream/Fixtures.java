package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.source.row.CapturedTable;
import io.github.mssqlcdc.source.row.RowLayout;
import io.github.mssqlcdc.source.stream.RetentionGuard.OnLoss;
import io.github.mssqlcdc.testkit.source.FakeSqlServer;
import java.util.Set;

final class Fixtures {
  private Fixtures() {}

  /** What a stream of the fake's table reads; nothing of it counts as a call. */
  static ChangeSource source(FakeSqlServer server, OnLoss onLoss) {
    CapturedTable table = CapturedTable.load(new FakeSqlServer(), "dbo_orders");
    return new ChangeSource(
        () -> server,
        table.instance(),
        RowLayout.of(
            RowLayout.inferred(Set.of(RowLayout.Extra.COMMAND_ID), table.columns()),
            table.columns()),
        4,
        new RetentionGuard("dbo_orders", onLoss));
  }
}
