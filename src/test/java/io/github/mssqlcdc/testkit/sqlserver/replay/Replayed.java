package io.github.mssqlcdc.testkit.sqlserver.replay;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.tds.RowEncoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A replayed table on the server: where its rows are, and their templates. Thread-safe. */
final class Replayed {
  private static final int DATETIME_BYTES = 8;

  private final ReplayTable table;
  private final Commits commits;
  private final Map<String, Template.OwnValue> ofTable;
  private final Map<String, Template.OwnValue> ofChanges;
  private final Map<List<Object>, Template> templates = new ConcurrentHashMap<>();

  Replayed(ReplayTable table, Commits commits) {
    this.table = table;
    this.commits = commits;
    this.ofTable = Map.of("id", own(0L, Long.BYTES, (bytes, row) -> bytes.putLong(row + 1)));
    this.ofChanges = new HashMap<>(ofTable);
    if (!commits.commits().isEmpty()) {
      ofChanges.putAll(header(commits));
    }
  }

  private static Map<String, Template.OwnValue> header(Commits commits) {
    byte[] lsn = new byte[Commits.LSN_BYTES];
    List<byte[]> times = commits.commits().stream().map(commit -> datetime(commit.at())).toList();
    return Map.of(
        "__$start_lsn",
        own(lsn, lsn.length, (bytes, row) -> bytes.put(commits.lsnOf(row))),
        "__$seqval",
        own(lsn, lsn.length, (bytes, row) -> bytes.put(Commits.seqval(row))),
        "__$command_id",
        own(0, Integer.BYTES, (bytes, row) -> bytes.putInt(commits.commandId(row))),
        "tran_end_time",
        own(
            commits.commits().get(0).at(),
            DATETIME_BYTES,
            (bytes, row) -> bytes.put(times.get(commits.commitOf(row)))));
  }

  ReplayTable table() {
    return table;
  }

  Commits commits() {
    return commits;
  }

  Template template(ReplayRead.Kind kind, List<Column> columns) {
    return templates.computeIfAbsent(List.of(kind, columns), key -> make(kind, columns));
  }

  private Template make(ReplayRead.Kind kind, List<Column> columns) {
    return kind == ReplayRead.Kind.TABLE
        ? Template.of(columns, new RowValues(table, ofTable), table.rows() / 2)
        : Template.of(columns, new RowValues(table, ofChanges), table.changes() / 2);
  }

  private interface Writer {
    void write(ByteBuffer bytes, long row);
  }

  private static Template.OwnValue own(Object example, int width, Writer writer) {
    return new Template.OwnValue() {
      @Override
      public Object example() {
        return example;
      }

      @Override
      public void put(byte[] token, int end, long row) {
        writer.write(
            ByteBuffer.wrap(token, end - width, width).order(ByteOrder.LITTLE_ENDIAN), row);
      }
    };
  }

  private static byte[] datetime(LocalDateTime at) {
    Column column = new Column("at", DataType.of(SqlTypeName.DATETIME), true);
    byte[] token = new RowEncoder(List.of(column)).encode(new Object[] {at}).token();
    return Arrays.copyOfRange(token, token.length - DATETIME_BYTES, token.length);
  }
}
