package io.github.mssqlcdc.bronze;

import io.github.mssqlcdc.lsn.Lsn;
import java.util.Comparator;
import org.apache.spark.sql.Column;

/**
 * A place among all changes of a source: LSNs are ordered within a history only.
 *
 * @param history of the source
 * @param lsn within it
 */
public record Position(int history, Lsn lsn) implements Comparable<Position> {
  private static final Comparator<Position> ORDER =
      Comparator.comparingInt(Position::history).thenComparing(Position::lsn);

  public boolean isAfter(Position other) {
    return compareTo(other) > 0;
  }

  /** Whether what has this history and LSN comes after this position. */
  public Column isBefore(Column ofHistory, Column ofLsn) {
    return ofHistory.gt(history).or(ofHistory.equalTo(history).and(ofLsn.gt(lsn.toString())));
  }

  /** Whether what has this history and LSN comes before this position. */
  public Column isAfter(Column ofHistory, Column ofLsn) {
    return ofHistory.lt(history).or(ofHistory.equalTo(history).and(ofLsn.lt(lsn.toString())));
  }

  @Override
  public int compareTo(Position other) {
    return ORDER.compare(this, other);
  }
}
