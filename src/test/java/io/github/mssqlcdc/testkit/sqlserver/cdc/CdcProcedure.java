package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.SessionContext;
import io.github.mssqlcdc.testkit.sqlserver.engine.SystemProcedure;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A {@code sys.sp_cdc_*} procedure. EXECUTE is granted to everybody: rights are checked inside. */
abstract class CdcProcedure implements SystemProcedure {
  private final String name;
  private final List<String> parameters;
  private final CdcDatabase database;

  CdcProcedure(CdcDatabase database, String name, String... parameters) {
    this.database = database;
    this.name = "sys." + name;
    this.parameters = List.of(parameters);
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final List<String> parameters() {
    return parameters;
  }

  @Override
  public final int call(
      SessionContext session, Map<String, @Nullable Object> arguments, ResponseSink out)
      throws SqlServerError {
    return run(session, new Arguments(name, arguments), out);
  }

  abstract int run(SessionContext session, Arguments arguments, ResponseSink out)
      throws SqlServerError;

  final CdcDatabase database() {
    return database;
  }

  final void requireOwner(SessionContext session) throws SqlServerError {
    if (!session.isDbOwner()) {
      throw CdcErrors.dboRequired();
    }
    database.requireEnabled();
  }

  /**
   * @throws SqlServerError 22981 for an unknown instance and for one that is not for the caller
   */
  final CaptureInstance readable(SessionContext session, Arguments arguments)
      throws SqlServerError {
    database.requireEnabled();
    String instance = arguments.requireText("@capture_instance");
    return database
        .instances()
        .find(instance)
        .filter(found -> Access.mayRead(session, found))
        .orElseThrow(CdcErrors::denied);
  }
}
