package io.github.mssqlcdc.testkit.sqlserver.cdc;

import org.jspecify.annotations.Nullable;

/**
 * A row of a change table, without what it shares with its transaction.
 *
 * @param operation 1 delete, 2 insert, 3 before an update, 4 after it
 * @param values by the captured columns' order
 */
record ChangeRow(int operation, UpdateMask mask, @Nullable Object[] values) {}
