package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A system view and its rows at this moment. */
public record SystemView(List<Column> columns, List<@Nullable Object[]> rows) {}
