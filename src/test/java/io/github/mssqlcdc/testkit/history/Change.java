package io.github.mssqlcdc.testkit.history;

import io.github.mssqlcdc.lsn.ChangePosition;

/** A row of a change table, or with operation 0 one of a snapshot. */
public record Change(ChangePosition position, int id, String name) {}
