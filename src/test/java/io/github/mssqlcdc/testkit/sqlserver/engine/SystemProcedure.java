package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A procedure of the system that is written in Java, such as {@code sys.sp_cdc_enable_table}. */
public interface SystemProcedure {

  /** Schema-qualified, for example {@code sys.sp_cdc_enable_db}. */
  String name();

  /** Parameter names in declared order, with {@code @}; positional arguments are matched to it. */
  List<String> parameters();

  /**
   * Runs it.
   *
   * @param arguments values by parameter name with {@code @}; a parameter not given has no key
   * @return the return code, 0 for success
   */
  int call(SessionContext session, Map<String, @Nullable Object> arguments, ResponseSink out)
      throws SqlServerError;
}
