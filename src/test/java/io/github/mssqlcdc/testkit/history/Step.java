package io.github.mssqlcdc.testkit.history;

import java.util.List;

/** Something that happens to a database or to its streams. */
public sealed interface Step {

  /** Statements over one or both tables, committed together. */
  record Transaction(List<Statement> statements) implements Step {}

  /** Time passes: the LSN map gets an entry without changes. */
  record Idle() implements Step {}

  /**
   * Cleanup of a table's changes, as far as its stream has come, or further.
   *
   * @param percent how much of what may be taken is taken
   */
  record Cleanup(int table, int percent) implements Step {}

  /**
   * A run of a table's stream, up to what is captured when it begins.
   *
   * @param crashAt at which of its steps the process dies; beyond the last: it doesn't
   * @param meanwhile what happens during the run
   * @param meanwhileAt from which of its steps on
   */
  record Run(int table, int crashAt, Cap cap, int partitions, List<Step> meanwhile, int meanwhileAt)
      implements Step {}

  /** How a run's batches are capped. */
  record Cap(Kind kind, int count) {

    /** What is counted. */
    public enum Kind {
      NONE,
      COMMITS,
      ROWS
    }
  }
}
