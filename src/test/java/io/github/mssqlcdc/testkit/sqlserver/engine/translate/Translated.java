package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import java.util.List;

/** A query in H2's SQL; its columns are called C1, C2, … there. */
record Translated(String sql, List<Output> columns) {}
