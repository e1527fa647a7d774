package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns one request's results into tokens. Every DONE but a response's last has to say that more
 * follows, so each is held back until the next result or the end. What comes after a cancellation
 * or a fatal error is dropped. Not thread-safe.
 */
final class ResponseWriter implements ResponseSink {
  /** An error of this severity or more ends the connection. */
  private static final int FATAL_SEVERITY = 20;

  private static final int INFO_SEVERITY = 10;

  private final TokenWriter tokens;
  private final Execution execution;
  private final int doneToken;
  private final OutputParameters outputs;
  private List<Column> columns = List.of();
  private List<ColumnEncoder> encoders = List.of();
  private @Nullable Done pending;
  private @Nullable Integer callStatus;
  private int lastError;
  private boolean fatal;

  private record Done(int token, int status, int command, long count) {}

  private ResponseWriter(
      TokenWriter tokens, Execution execution, int doneToken, OutputParameters outputs) {
    this.tokens = tokens;
    this.execution = execution;
    this.doneToken = doneToken;
    this.outputs = outputs;
  }

  static ResponseWriter forBatch(TokenWriter tokens, Execution execution) {
    return new ResponseWriter(tokens, execution, TokenWriter.DONE, OutputParameters.none());
  }

  static ResponseWriter forCall(TokenWriter tokens, Execution execution, OutputParameters outputs) {
    return new ResponseWriter(tokens, execution, TokenWriter.DONE_IN_PROC, outputs);
  }

  boolean fatal() {
    return fatal;
  }

  @Override
  public void columns(List<Column> columns) {
    this.columns = columns;
    this.encoders = columns.stream().map(ColumnEncoder::of).toList();
    if (!stopped()) {
      flushPending();
      tokens.columns(columns, encoders);
    }
  }

  @Override
  public boolean row(@Nullable Object[] values) {
    check(values);
    if (stopped()) {
      return false;
    }
    tokens.row(encoders, values);
    return !tokens.packets().failed();
  }

  @Override
  public boolean encodedRow(byte[] token) {
    if (stopped()) {
      return false;
    }
    tokens.packets().bytes(token);
    return !tokens.packets().failed();
  }

  @Override
  public void done(StatementKind kind, long count) {
    statementEnds(new Done(doneToken, 0, command(kind), count));
  }

  @Override
  public void error(SqlServerError error) {
    if (stopped()) {
      return;
    }
    if (error.severity() <= INFO_SEVERITY) {
      String text = error.getMessage();
      info(error.number(), text == null ? "" : text);
      return;
    }
    flushPending();
    tokens.error(error);
    lastError = error.number();
    statementEnds(new Done(doneToken, TokenWriter.ERROR_STATUS, 0, -1));
    fatal = error.severity() >= FATAL_SEVERITY;
  }

  @Override
  public void info(int number, String message) {
    if (!stopped()) {
      flushPending();
      tokens.info(number, message);
    }
  }

  /** Sent even to a client that has cancelled: it is the truth about its session. */
  @Override
  public void databaseChanged(String database) {
    flushPending();
    tokens.databaseChanged(database, "");
  }

  @Override
  public void transaction(TransactionEvent event, long id) {
    flushPending();
    tokens.transaction(event, id);
  }

  @Override
  public void returnValue(String name, DataType type, @Nullable Object value) {
    outputs.returned(name, type, value);
  }

  /** Of the call itself; in a batch, of a procedure that the batch has called. */
  @Override
  public void returnStatus(int status) {
    if (doneToken == TokenWriter.DONE_IN_PROC) {
      callStatus = status;
    } else if (!stopped()) {
      flushPending();
      tokens.returnStatus(status);
      pending = new Done(TokenWriter.DONE_PROC, 0, 0, -1);
    }
  }

  /** Ends the response's message. */
  void finish() {
    finish(0);
    tokens.packets().endMessage();
  }

  /** Ends this call's part of a message in which another one follows. */
  void finishPart() {
    finish(TokenWriter.MORE);
  }

  private void finish(int more) {
    if (execution.cancelled()) {
      tokens.done(TokenWriter.DONE, more | TokenWriter.ERROR_STATUS, 0, -1);
    } else if (doneToken == TokenWriter.DONE_IN_PROC && !fatal) {
      flushPending();
      tokens.returnStatus(callStatus == null ? lastError : callStatus);
      outputs.write(tokens);
      int status = lastError == 0 ? 0 : TokenWriter.ERROR_STATUS;
      tokens.done(TokenWriter.DONE_PROC, status | more, 0, -1);
    } else {
      Done last = pending == null ? new Done(TokenWriter.DONE, 0, 0, -1) : pending;
      tokens.done(last.token(), last.status() | more, last.command(), last.count());
    }
  }

  /** Before a byte is written, so that the engine's mistake can still be told as an error. */
  private void check(@Nullable Object[] values) {
    if (values.length != columns.size()) {
      throw new IllegalStateException(
          "Cannot send a row of " + values.length + " values for " + columns.size() + " columns");
    }
    for (int i = 0; i < values.length; i++) {
      Column column = columns.get(i);
      Object value = values[i];
      boolean fits =
          value == null ? column.nullable() : column.type().name().valueClass().isInstance(value);
      if (!fits) {
        String shown = value == null ? "NULL" : value.getClass().getSimpleName() + " " + value;
        throw new IllegalStateException("Cannot send " + shown + " as " + column);
      }
    }
  }

  private boolean stopped() {
    return fatal || execution.cancelled();
  }

  private void statementEnds(Done done) {
    if (!stopped()) {
      flushPending();
      pending = done;
    }
  }

  private void flushPending() {
    if (pending != null) {
      tokens.done(
          pending.token(), pending.status() | TokenWriter.MORE, pending.command(), pending.count());
      pending = null;
    }
  }

  private static int command(StatementKind kind) {
    return switch (kind) {
      case SELECT -> 0xC1;
      case INSERT -> 0xC3;
      case DELETE -> 0xC4;
      case UPDATE -> 0xC5;
      case MERGE -> 0x117;
      case OTHER -> 0;
    };
  }
}
