package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.Collation;
import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink.TransactionEvent;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the tokens of a response. Not thread-safe. */
final class TokenWriter {
  static final int DONE = 0xFD;
  static final int DONE_PROC = 0xFE;
  static final int DONE_IN_PROC = 0xFF;

  static final int MORE = 0x01;
  static final int ERROR_STATUS = 0x02;
  static final int COUNT = 0x10;
  static final int ATTENTION = 0x20;

  private static final int RETURN_STATUS = 0x79;
  private static final int COLUMN_METADATA = 0x81;
  private static final int ERROR = 0xAA;
  private static final int INFO = 0xAB;
  private static final int RETURN_VALUE = 0xAC;
  private static final int LOGIN_ACK = 0xAD;
  private static final int ROW = 0xD1;
  private static final int ROW_WITH_NULL_BITMAP = 0xD2;
  private static final int ENV_CHANGE = 0xE3;

  private static final int DATABASE = 1;
  private static final int LANGUAGE = 2;
  private static final int PACKET_SIZE = 4;
  private static final int COLLATION = 7;
  private static final int RESET = 18;

  private static final String SERVER_NAME = "stand-in";
  private static final int LONGEST_MESSAGE = 2047;

  private final PacketWriter out;

  TokenWriter(PacketWriter out) {
    this.out = out;
  }

  PacketWriter packets() {
    return out;
  }

  void databaseChanged(String database, String before) {
    environment(DATABASE, database, before);
  }

  void language(String language) {
    environment(LANGUAGE, language, "");
  }

  void packetSize(int bytes, int before) {
    environment(PACKET_SIZE, Integer.toString(bytes), Integer.toString(before));
  }

  void resetDone() {
    environment(RESET, "", "");
  }

  void collation(Collation collation) {
    startEnvironment(COLLATION, 1 + 5 + 1);
    out.u8(5);
    out.collation(collation);
    out.u8(0);
  }

  void transaction(TransactionEvent event, long id) {
    int type =
        switch (event) {
          case BEGIN -> 8;
          case COMMIT -> 9;
          case ROLLBACK -> 10;
        };
    startEnvironment(type, 1 + 8 + 1);
    if (event == TransactionEvent.BEGIN) {
      out.u8(8);
      out.i64(id);
      out.u8(0);
    } else {
      out.u8(0);
      out.u8(8);
      out.i64(id);
    }
  }

  void loginAck(int tdsVersion, int majorVersion) {
    String program = "Microsoft SQL Server";
    out.u8(LOGIN_ACK);
    out.u16(1 + 4 + 1 + 2 * program.length() + 4);
    out.u8(1); // T-SQL
    out.i32(Integer.reverseBytes(tdsVersion));
    out.shortText(program);
    out.u8(majorVersion);
    out.u8(0);
    out.u8(ServerVersion.BUILD >> 8);
    out.u8(ServerVersion.BUILD);
  }

  void error(SqlServerError error) {
    String text = error.getMessage();
    message(ERROR, error.number(), error.state(), error.severity(), text == null ? "" : text);
  }

  void info(int number, String text) {
    message(INFO, number, 1, 0, text);
  }

  void columns(List<Column> columns, List<ColumnEncoder> encoders) {
    out.u8(COLUMN_METADATA);
    out.u16(columns.size());
    for (int i = 0; i < encoders.size(); i++) {
      Column column = columns.get(i);
      out.i32(encoders.get(i).userType());
      out.u16(column.nullable() ? 0x01 : 0x00);
      encoders.get(i).writeType(out);
      out.shortText(column.name());
    }
  }

  void row(List<ColumnEncoder> encoders, @Nullable Object[] values) {
    boolean bitmap = startRow(values);
    for (int i = 0; i < values.length; i++) {
      cell(encoders.get(i), values[i], bitmap);
    }
  }

  /** True if the row says in a bitmap which cells are NULL. */
  boolean startRow(@Nullable Object[] values) {
    int bitmapBytes = (values.length + 7) / 8;
    boolean bitmap = nulls(values) > bitmapBytes;
    out.u8(bitmap ? ROW_WITH_NULL_BITMAP : ROW);
    if (bitmap) {
      writeBitmap(values, bitmapBytes);
    }
    return bitmap;
  }

  void cell(ColumnEncoder encoder, @Nullable Object value, boolean bitmap) {
    if (value != null) {
      encoder.write(out, value);
    } else if (!bitmap) {
      encoder.writeNull(out);
    }
  }

  void returnStatus(int status) {
    out.u8(RETURN_STATUS);
    out.i32(status);
  }

  void returnValue(int ordinal, String name, DataType type, @Nullable Object value) {
    ColumnEncoder encoder = ColumnEncoder.of(type);
    out.u8(RETURN_VALUE);
    out.u16(ordinal);
    out.shortText(name);
    out.u8(1); // output parameter
    out.i32(encoder.userType());
    out.u16(1);
    encoder.writeType(out);
    if (value == null) {
      encoder.writeNull(out);
    } else {
      encoder.write(out, value);
    }
  }

  /**
   * @param count -1 for none
   */
  void done(int token, int status, int command, long count) {
    out.u8(token);
    out.u16(count < 0 ? status : status | COUNT);
    out.u16(command);
    out.i64(Math.max(count, 0));
  }

  private static int nulls(@Nullable Object[] values) {
    int nulls = 0;
    for (Object value : values) {
      nulls += value == null ? 1 : 0;
    }
    return nulls;
  }

  private void writeBitmap(@Nullable Object[] values, int bytes) {
    for (int i = 0; i < bytes; i++) {
      int bits = 0;
      for (int bit = 0; bit < 8 && 8 * i + bit < values.length; bit++) {
        bits |= values[8 * i + bit] == null ? 1 << bit : 0;
      }
      out.u8(bits);
    }
  }

  private void message(int token, int number, int state, int severity, String text) {
    String cut = text.length() > LONGEST_MESSAGE ? text.substring(0, LONGEST_MESSAGE) : text;
    out.u8(token);
    out.u16(4 + 1 + 1 + 2 + 2 * cut.length() + 1 + 2 * SERVER_NAME.length() + 1 + 4);
    out.i32(number);
    out.u8(state);
    out.u8(severity);
    out.longText(cut);
    out.shortText(SERVER_NAME);
    out.shortText(""); // procedure
    out.i32(1); // line
  }

  private void environment(int type, String now, String before) {
    startEnvironment(type, 1 + 2 * now.length() + 1 + 2 * before.length());
    out.shortText(now);
    out.shortText(before);
  }

  private void startEnvironment(int type, int length) {
    out.u8(ENV_CHANGE);
    out.u16(1 + length);
    out.u8(type);
  }
}
