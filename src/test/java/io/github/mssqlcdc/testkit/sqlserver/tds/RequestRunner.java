package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.Backend;
import io.github.mssqlcdc.testkit.sqlserver.backend.BackendSession;
import io.github.mssqlcdc.testkit.sqlserver.backend.Request;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.nio.BufferUnderflowException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a session's messages, one after another, and answers them. One thread's own. */
final class RequestRunner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RequestRunner.class);

  private final Backend backend;
  private final Backend.Login login;
  private final TokenWriter tokens;
  private final Execution execution;
  private final RequestListener listener;
  private final PreparedStatements prepared = new PreparedStatements();
  private final CallRunner calls = new CallRunner(prepared);
  private BackendSession session;

  RequestRunner(
      Backend backend,
      Backend.Login login,
      BackendSession session,
      TokenWriter tokens,
      Execution execution,
      RequestListener listener) {
    this.backend = backend;
    this.login = login;
    this.session = session;
    this.tokens = tokens;
    this.execution = execution;
    this.listener = listener;
  }

  /** False if the connection has to end. */
  boolean run(Message message) {
    if (message.ignored()) {
      tokens.done(TokenWriter.DONE, TokenWriter.ERROR_STATUS, 0, -1);
      tokens.packets().endMessage();
      return true;
    }
    try {
      if (message.reset()) {
        reset();
      }
      WireReader in = new WireReader(message.payload());
      return switch (message.type()) {
        case MessageType.BATCH -> runBatch(in);
        case MessageType.RPC -> runCalls(in);
        default -> refuse(unsupported(message.type()));
      };
    } catch (SqlServerError e) {
      return refuse(e);
    } catch (BufferUnderflowException e) {
      return refuse(incomplete());
    }
  }

  /** The acknowledgement is a message of its own, after the interrupted response's. */
  void acknowledgeAttention() {
    execution.acknowledge();
    tokens.done(TokenWriter.DONE, TokenWriter.ATTENTION, 0, -1);
    tokens.packets().endMessage();
  }

  @Override
  public void close() {
    session.close();
  }

  private boolean runBatch(WireReader in) {
    skipHeaders(in);
    String sql = in.utf16(in.remaining() / 2);
    listener.received(login, session.spid(), sql);
    ResponseWriter response = ResponseWriter.forBatch(tokens, execution);
    if (!prepared.unprepareBatch(sql)) {
      execute(new Request.Batch(sql), response);
    }
    response.finish();
    return !response.fatal();
  }

  private boolean runCalls(WireReader in) throws SqlServerError {
    skipHeaders(in);
    List<RpcCall> all = RpcDecoder.decode(in);
    for (int i = 0; i < all.size(); i++) {
      ResponseWriter response = runCall(all.get(i));
      if (i == all.size() - 1 || response.fatal() || execution.cancelled()) {
        response.finish();
        return !response.fatal();
      }
      response.finishPart();
    }
    throw new SqlServerError(8009, 16, 1, "Invalid remote procedure call: it is empty");
  }

  private ResponseWriter runCall(RpcCall call) {
    try {
      CallRunner.Plan plan = calls.plan(call);
      listener.received(login, session.spid(), plan.text());
      ResponseWriter response = ResponseWriter.forCall(tokens, execution, plan.outputs());
      if (plan.request() != null) {
        execute(plan.request(), response);
      }
      return response;
    } catch (SqlServerError e) {
      listener.received(login, session.spid(), call.procedure());
      ResponseWriter response = ResponseWriter.forCall(tokens, execution, OutputParameters.none());
      response.error(e);
      return response;
    }
  }

  private void execute(Request request, ResponseWriter response) {
    if (!execution.begin(session)) {
      return;
    }
    try {
      session.execute(request, response);
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      LOG.error("Stand-in: engine failed on {}", request, e);
      response.error(new SqlServerError(50000, 20, 1, "Stand-in: engine failed: " + e));
    } finally {
      execution.end();
    }
  }

  /**
   * As a server resets a pooled connection: everything is as after login. Inferred: here the
   * session id changes, and prepared handles go.
   */
  private void reset() throws SqlServerError {
    session.close();
    session = backend.login(login);
    prepared.clear();
    tokens.packets().spid(session.spid());
    tokens.resetDone();
  }

  private boolean refuse(SqlServerError error) {
    ResponseWriter response = ResponseWriter.forBatch(tokens, execution);
    response.error(error);
    response.finish();
    return !response.fatal();
  }

  private static SqlServerError unsupported(int messageType) {
    return new SqlServerError(
        50000, 16, 1, "Unsupported by the stand-in: TDS message of type " + messageType);
  }

  private static SqlServerError incomplete() {
    return new SqlServerError(
        4002,
        20,
        1,
        "The incoming tabular data stream (TDS) protocol stream is incorrect. The stream ended"
            + " unexpectedly.");
  }

  /** ALL_HEADERS; its length counts itself. */
  private static void skipHeaders(WireReader in) {
    in.skip(in.i32() - Integer.BYTES);
  }
}
