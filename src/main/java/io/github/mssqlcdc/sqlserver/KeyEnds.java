package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.keyrange.KeyBound;
import org.jspecify.annotations.Nullable;

/**
 * The ends of a key, in the server's order.
 *
 * @param min smallest value of a single integer column, NULLs left out; null for any other key, and
 *     where there is none
 * @param max largest key; for a single integer column null if it holds no value but NULL
 */
public record KeyEnds(@Nullable KeyBound min, @Nullable KeyBound max) {}
