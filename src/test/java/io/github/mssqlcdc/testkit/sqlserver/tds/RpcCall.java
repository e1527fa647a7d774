package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.Request;
import java.util.List;
import java.util.Locale;

/**
 * A remote procedure call as it came.
 *
 * @param procedure name as sent, or the one that belongs to the sent number
 */
record RpcCall(String procedure, List<Request.Parameter> arguments) {

  /** The procedure's own name, without qualifiers and brackets, in lower case. */
  String plainName() {
    String last = procedure.substring(procedure.lastIndexOf('.') + 1);
    return last.replaceAll("^\\[|]$", "").toLowerCase(Locale.ROOT);
  }

  /** A text argument; empty if it is NULL or absent. */
  String text(int index) {
    Object value = index < arguments.size() ? arguments.get(index).value() : null;
    return value == null ? "" : value.toString();
  }

  /** The handle argument; 0 if it is NULL or absent. */
  int handle() {
    Object value = arguments.isEmpty() ? null : arguments.get(0).value();
    return value instanceof Number number ? number.intValue() : 0;
  }

  List<Request.Parameter> from(int index) {
    return arguments.subList(Math.min(index, arguments.size()), arguments.size());
  }
}
