package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.Request;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.ArrayList;
import java.util.List;

/** Takes an RPC message apart; it holds one call or several. */
final class RpcDecoder {
  private static final int BY_NUMBER = 0xFFFF;
  private static final int FIRST_BATCH_FLAG = 0xFE;
  private static final int OUTPUT = 0x01;
  private static final List<String> NUMBERED =
      List.of(
          "sp_cursor",
          "sp_cursoropen",
          "sp_cursorprepare",
          "sp_cursorexecute",
          "sp_cursorprepexec",
          "sp_cursorunprepare",
          "sp_cursorfetch",
          "sp_cursoroption",
          "sp_cursorclose",
          "sp_executesql",
          "sp_prepare",
          "sp_execute",
          "sp_prepexec",
          "sp_prepexecrpc",
          "sp_unprepare");

  private RpcDecoder() {}

  /**
   * @throws SqlServerError a parameter of an unsupported type
   */
  static List<RpcCall> decode(WireReader in) throws SqlServerError {
    List<RpcCall> calls = new ArrayList<>();
    while (in.hasMore()) {
      String procedure = procedure(in);
      in.u16(); // options
      List<Request.Parameter> arguments = new ArrayList<>();
      while (in.hasMore() && !atBatchFlag(in)) {
        arguments.add(argument(in));
      }
      calls.add(new RpcCall(procedure, arguments));
      if (in.hasMore()) {
        in.u8();
      }
    }
    return calls;
  }

  private static String procedure(WireReader in) throws SqlServerError {
    int length = in.u16();
    if (length != BY_NUMBER) {
      return in.utf16(length);
    }
    int number = in.u16();
    if (number < 1 || number > NUMBERED.size()) {
      throw new SqlServerError(2812, 16, 62, "Could not find stored procedure number " + number);
    }
    return NUMBERED.get(number - 1);
  }

  /** A parameter starts with its name's length; a flag between calls is FE or FF. */
  private static boolean atBatchFlag(WireReader in) {
    int start = in.position();
    int next = in.u8();
    in.position(start);
    return next >= FIRST_BATCH_FLAG;
  }

  private static Request.Parameter argument(WireReader in) throws SqlServerError {
    String name = in.utf16(in.u8());
    boolean output = (in.u8() & OUTPUT) != 0;
    ParameterType type = ParameterType.read(in);
    return new Request.Parameter(name, type.dataType(), type.readValue(in), output);
  }
}
