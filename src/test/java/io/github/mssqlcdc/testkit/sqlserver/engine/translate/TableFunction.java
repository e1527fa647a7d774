package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import java.util.List;

/** A call of a table-valued function as the H2 query that it stands for. */
public record TableFunction(String sql, List<Output> columns) {}
