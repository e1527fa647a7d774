package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.testkit.history.Change;
import io.github.mssqlcdc.testkit.history.SourceTable;
import io.github.mssqlcdc.testkit.history.SourceTable.Image;
import io.github.mssqlcdc.testkit.history.Statement;
import io.github.mssqlcdc.testkit.source.FakeSqlServer;
import java.util.ArrayList;
import java.util.List;

/** Two CDC tables with one LSN map: each is behind a fake of its own, with the same entries. */
final class SimulatedDatabase {
  private static final int PLACES = 100;

  private final List<Table> tables = List.of(new Table("t0"), new Table("t1"));
  private final List<Lsn> entries = new ArrayList<>();

  /** One table: what it is, what ever changed in it, and the server that reads see. */
  static final class Table {
    final SourceTable source;
    final FakeSqlServer server = new FakeSqlServer();
    final List<Change> changes = new ArrayList<>();
    private Lsn minLsn = FakeSqlServer.lsn(10);

    Table(String name) {
      source = new SourceTable(name);
    }

    Lsn minLsn() {
      return minLsn;
    }
  }

  Table table(int number) {
    return tables.get(number);
  }

  /** Changes before CDC is on. */
  void unseen(Statement statement) {
    var unused = tables.get(statement.table()).source.apply(statement);
  }

  /** A commit; nothing where the statements change nothing. */
  void commit(List<Statement> statements) {
    List<List<Image>> effects =
        statements.stream()
            .map(statement -> tables.get(statement.table()).source.apply(statement).images())
            .toList();
    if (effects.stream().allMatch(List::isEmpty)) {
      return;
    }
    Lsn lsn = idle();
    for (int i = 0; i < statements.size(); i++) {
      Table table = tables.get(statements.get(i).table());
      for (Image image : effects.get(i)) {
        Lsn seqval = new Lsn(lsn.high(), PLACES * (i + 1) + image.place());
        ChangePosition position = new ChangePosition(lsn, i + 1, seqval, image.operation());
        table.changes.add(new Change(position, image.id(), image.name()));
        table.server.add(position, image.id(), image.name());
      }
    }
  }

  Lsn idle() {
    List<Lsn> lsns = tables.stream().map(table -> table.server.idle()).toList();
    entries.add(lsns.get(0));
    return lsns.get(0);
  }

  /**
   * @param limit cleanup goes no further
   * @param percent of what may be taken
   */
  void cleanUp(int number, Lsn limit, int percent) {
    Table table = tables.get(number);
    List<Lsn> marks =
        entries.stream().filter(lsn -> lsn.isAfter(table.minLsn) && !lsn.isAfter(limit)).toList();
    int taken = marks.size() * percent / 100;
    if (taken == 0) {
      return;
    }
    table.minLsn = marks.get(taken - 1);
    Lsn lowest = tables.stream().map(Table::minLsn).min(Lsn::compareTo).orElse(table.minLsn);
    table.server.purge(table.minLsn, lowest);
  }

  Lsn newest() {
    return entries.isEmpty() ? Lsn.ZERO : entries.get(entries.size() - 1);
  }
}
