package io.github.mssqlcdc.lsn;

import java.io.Serializable;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The place of one row in a change table, in the table's own total order: {@code __$start_lsn},
 * {@code __$command_id}, {@code __$seqval}, {@code __$operation}.
 *
 * @param commit LSN of the row's commit
 * @param commandId order of the statement in its commit; null in rows written before SQL Server
 *     kept it, which sort first, as NULL does there
 * @param seqval place inside the statement
 * @param operation 1 delete, 2 insert, 3 before, 4 after
 */
public record ChangePosition(Lsn commit, @Nullable Integer commandId, Lsn seqval, int operation)
    implements Comparable<ChangePosition>, Serializable {

  private static final Comparator<ChangePosition> ORDER =
      Comparator.comparing(ChangePosition::commit)
          .thenComparing(
              ChangePosition::commandId, Comparator.nullsFirst(Comparator.<Integer>naturalOrder()))
          .thenComparing(ChangePosition::seqval)
          .thenComparingInt(ChangePosition::operation);

  @Override
  public int compareTo(ChangePosition other) {
    return ORDER.compare(this, other);
  }
}
