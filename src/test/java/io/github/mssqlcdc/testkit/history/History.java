package io.github.mssqlcdc.testkit.history;

import java.util.List;

/**
 * A database's life from the moment at which CDC is on, and that of the streams of its two tables.
 *
 * @param bootstrap whether the tables have rows by then, which the streams get by a snapshot
 */
public record History(boolean bootstrap, List<Step> steps) {}
