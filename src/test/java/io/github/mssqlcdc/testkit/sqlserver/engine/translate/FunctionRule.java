package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;

/** How one function is written for H2. */
@FunctionalInterface
interface FunctionRule {
  Typed translate(FunctionCall call) throws SqlServerError;
}
