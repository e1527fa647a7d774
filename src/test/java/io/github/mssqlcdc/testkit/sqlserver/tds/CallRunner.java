package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.Request;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes the procedures that run or keep T-SQL apart, so that the engine sees text and values. */
final class CallRunner {
  private final PreparedStatements prepared;

  CallRunner(PreparedStatements prepared) {
    this.prepared = prepared;
  }

  /**
   * What a call comes to.
   *
   * @param request null: nothing to run
   * @param text for the listener
   */
  record Plan(@Nullable Request request, String text, OutputParameters outputs) {}

  /**
   * @throws SqlServerError the call can't be run
   */
  Plan plan(RpcCall call) throws SqlServerError {
    String procedure = call.plainName();
    return switch (procedure) {
      case "sp_executesql" -> run(call.text(0), call.text(1), 2, call);
      case "sp_prepexec" -> {
        prepared.unprepare(call.handle());
        int handle = prepared.prepare(call.text(1), call.text(2));
        Plan plan = run(call.text(2), call.text(1), 3, call);
        yield new Plan(plan.request(), plan.text(), plan.outputs().withHandle(handle));
      }
      case "sp_execute" -> {
        PreparedStatements.Prepared statement = prepared.find(call.handle());
        yield run(statement.sql(), statement.declarations(), 1, call);
      }
      case "sp_prepare" -> {
        int handle = prepared.prepare(call.text(1), call.text(2));
        String text = "sp_prepare " + call.text(2);
        yield new Plan(null, text, OutputParameters.none().withHandle(handle));
      }
      case "sp_unprepare" -> {
        prepared.unprepare(call.handle());
        yield new Plan(null, "sp_unprepare " + call.handle(), OutputParameters.none());
      }
      default -> procedure(call);
    };
  }

  private static Plan run(String sql, String declarations, int firstValue, RpcCall call)
      throws SqlServerError {
    List<Request.Parameter> bound = Parameters.bind(sql, declarations, call.from(firstValue));
    return new Plan(
        new Request.Parameterized(sql, bound), sql, new OutputParameters(firstValue, bound));
  }

  private static Plan procedure(RpcCall call) throws SqlServerError {
    if (call.plainName().startsWith("sp_cursor") || call.plainName().equals("sp_prepexecrpc")) {
      throw new SqlServerError(
          50000, 16, 1, "Unsupported by the stand-in: server cursors (" + call.plainName() + ")");
    }
    return new Plan(
        new Request.Procedure(call.procedure(), call.arguments()),
        call.procedure(),
        new OutputParameters(0, call.arguments()));
  }
}
