package io.github.mssqlcdc.bronze;

import io.github.mssqlcdc.offset.Offset;

/**
 * A snapshot that is appended as a whole.
 *
 * @param captureInstance that its rows are of
 * @param stamp what its rows are stamped with
 * @param history the history of the source that they belong to
 * @param number as {@link BronzeTable#nextWhole} gave it
 * @param proof called when the rows are written and before they are committed; what it throws gives
 *     them up
 */
public record WholeRows(
    String captureInstance, Offset stamp, int history, long number, Runnable proof) {}
