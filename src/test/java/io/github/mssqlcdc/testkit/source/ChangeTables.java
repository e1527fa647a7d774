package io.github.mssqlcdc.testkit.source;

import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.Lsn;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.jspecify.annotations.Nullable;

/** Change tables for properties: positions as capture writes them, in order. */
public final class ChangeTables {
  private static final int INSERT = 2;

  private ChangeTables() {}

  /** Which rows have command ids. */
  public enum CommandIds {
    ALL,
    /** The table was upgraded: its older commits have none. */
    NEWER,
    /** It has no such column. */
    NONE
  }

  /** What a statement did to its rows. */
  private enum Kind {
    INSERT,
    DELETE,
    UPDATE,
    /** An update of the key: a delete and an insert. */
    KEY_UPDATE
  }

  /**
   * @param repeatsCommandId whether its rows share one command id
   */
  private record Change(Kind kind, int rows, boolean repeatsCommandId) {}

  /** Up to a dozen commits of one row to dozens; LSNs from 1 on. */
  public static Arbitrary<List<ChangePosition>> of(CommandIds ids) {
    Arbitrary<Change> statements =
        Combinators.combine(
                Arbitraries.of(Kind.class),
                Arbitraries.frequencyOf(
                    net.jqwik.api.Tuple.of(3, Arbitraries.integers().between(1, 3)),
                    net.jqwik.api.Tuple.of(1, Arbitraries.integers().between(4, 40))),
                Arbitraries.of(true, false))
            .as(Change::new);
    Arbitrary<List<List<Change>>> commits =
        statements.list().ofMinSize(1).ofMaxSize(4).list().ofMaxSize(12);
    Arbitrary<Integer> upgrade = Arbitraries.integers().between(0, 12);
    return Combinators.combine(commits, upgrade).as((all, at) -> rows(all, ids, at));
  }

  private static List<ChangePosition> rows(
      List<List<Change>> commits, CommandIds ids, int firstWithIds) {
    List<ChangePosition> rows = new ArrayList<>();
    for (int i = 0; i < commits.size(); i++) {
      boolean hasIds = ids == CommandIds.ALL || (ids == CommandIds.NEWER && i >= firstWithIds);
      rows.addAll(new Commit(new Lsn(1 + 2L * i, 0), hasIds).rows(commits.get(i)));
    }
    return rows;
  }

  private static final class Commit {
    private final Lsn lsn;
    private final boolean hasIds;
    private final List<ChangePosition> rows = new ArrayList<>();
    private int seqval;
    private int command;

    Commit(Lsn lsn, boolean hasIds) {
      this.lsn = lsn;
      this.hasIds = hasIds;
    }

    List<ChangePosition> rows(List<Change> changes) {
      changes.forEach(this::add);
      return rows.stream().sorted().toList();
    }

    private void add(Change change) {
      command++;
      int firstSeqval = seqval + 1;
      for (int row = 0; row < change.rows(); row++) {
        seqval++;
        switch (change.kind()) {
          case INSERT -> put(INSERT);
          case DELETE, KEY_UPDATE -> put(1);
          case UPDATE -> {
            put(3);
            put(4);
          }
        }
        if (!change.repeatsCommandId()) {
          command++;
        }
      }
      if (change.kind() == Kind.KEY_UPDATE) {
        insertAgain(change.rows() == 1 ? firstSeqval : seqval + 1, change.rows());
      }
    }

    /** One row's insert has the delete's sequence value, those of several rows have new ones. */
    private void insertAgain(int first, int count) {
      command++;
      for (int row = 0; row < count; row++) {
        seqval = first + row;
        put(INSERT);
      }
    }

    private void put(int operation) {
      @Nullable Integer id = hasIds ? (Integer) command : null;
      rows.add(new ChangePosition(lsn, id, new Lsn(0, seqval), operation));
    }
  }
}
