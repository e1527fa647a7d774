package io.github.mssqlcdc.delta.table;

import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An append that happens once.
 *
 * @param id its transaction id
 * @param note what is kept of it in the commit, null: nothing. Asked when the rows are written and
 *     before they are committed, or else, by Delta's public writer, before they are read.
 * @param before given the highest version that the application id has so far, a lower one, empty if
 *     it has none; before the rows are asked for, and again where another writer was first. What it
 *     throws gives the rows up.
 * @param commit asked once when the rows are written and before they are committed; false gives
 *     them up. What it throws gives them up, too.
 */
public record Append(
    TransactionId id,
    Supplier<@Nullable String> note,
    Consumer<OptionalLong> before,
    BooleanSupplier commit) {

  public static Append of(TransactionId id, @Nullable String note) {
    return new Append(id, () -> note, latest -> {}, () -> true);
  }

  /** What became of it. */
  public sealed interface Outcome {
    /**
     * The rows stand in the table.
     *
     * @param version table version of their commit
     */
    record Committed(long version) implements Outcome {}

    /**
     * Nothing was written: the table holds this transaction id, or a higher one, already.
     *
     * @param latest the highest version of the application id
     */
    record Skipped(long latest) implements Outcome {}

    /** {@link Append#commit} said no. */
    record GivenUp() implements Outcome {}
  }
}
