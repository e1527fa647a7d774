package io.github.mssqlcdc.testkit.history;

import io.github.mssqlcdc.testkit.history.Step.Cap;
import io.github.mssqlcdc.testkit.history.Step.Cleanup;
import io.github.mssqlcdc.testkit.history.Step.Idle;
import io.github.mssqlcdc.testkit.history.Step.Run;
import io.github.mssqlcdc.testkit.history.Step.Transaction;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Random histories. What fails shrinks to few and simple steps. */
public final class Histories {
  private Histories() {}

  /**
   * @param steps how many at most
   * @param operations of a run, about: so many steps may pass before it dies
   */
  public static Arbitrary<History> of(int steps, int operations) {
    Arbitrary<Step> any =
        Arbitraries.frequencyOf(
            Tuple.of(6, transactions()),
            Tuple.of(1, idle()),
            Tuple.of(1, cleanups()),
            Tuple.of(4, runs(operations)));
    return Combinators.combine(
            Arbitraries.of(false, true), any.list().ofMinSize(1).ofMaxSize(steps))
        .as(History::new);
  }

  private static Arbitrary<Step> transactions() {
    Arbitrary<Statement> statement =
        Combinators.combine(
                Arbitraries.of(
                    Statement.Kind.PUT,
                    Statement.Kind.PUT,
                    Statement.Kind.PUT,
                    Statement.Kind.DELETE,
                    Statement.Kind.MOVE,
                    Statement.Kind.UPDATE_ALL,
                    Statement.Kind.DELETE_ALL),
                table(),
                Arbitraries.integers().between(0, Statement.IDS - 1))
            .as(Statement::new);
    return statement.list().ofMinSize(1).ofMaxSize(5).map(Transaction::new);
  }

  private static Arbitrary<Step> idle() {
    return Arbitraries.just(new Idle());
  }

  private static Arbitrary<Step> cleanups() {
    return Combinators.combine(table(), Arbitraries.of(0, 30, 70, 100)).as(Cleanup::new);
  }

  private static Arbitrary<Step> runs(int operations) {
    Arbitrary<Cap> caps =
        Combinators.combine(Arbitraries.of(Cap.Kind.values()), Arbitraries.integers().between(1, 4))
            .as(Cap::new);
    Arbitrary<Step> meanwhile =
        Arbitraries.frequencyOf(
            Tuple.of(3, transactions()), Tuple.of(1, idle()), Tuple.of(2, cleanups()));
    return Combinators.combine(
            table(),
            // half of them come through
            Arbitraries.integers().between(1, 2 * operations),
            caps,
            Arbitraries.integers().between(1, 4),
            meanwhile.list().ofMaxSize(3),
            Arbitraries.integers().between(1, operations))
        .as(Run::new);
  }

  private static Arbitrary<Integer> table() {
    return Arbitraries.of(0, 1);
  }
}
