package io.github.mssqlcdc.bronze;

import io.github.mssqlcdc.lsn.Lsn;
import java.util.Comparator;

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

  @Override
  public int compareTo(Position other) {
    return ORDER.compare(this, other);
  }
}
