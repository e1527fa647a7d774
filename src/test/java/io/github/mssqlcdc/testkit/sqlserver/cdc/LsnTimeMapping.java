package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseStore;
import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseStore.Statement;
import java.nio.ByteBuffer;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code cdc.lsn_time_mapping}: its entries and what is looked up in it. */
final class LsnTimeMapping {
  static final String TABLE = Sql.cdcTable("lsn_time_mapping");
  private static final byte[] NO_TRANSACTION = {0};
  private static final int TRANSACTION_ID_BYTES = 6;

  private final DatabaseStore store;

  LsnTimeMapping(DatabaseStore store) {
    this.store = store;
  }

  Statement commit(LogRecord.Committed record) {
    return insert(
        record.lsn(),
        record.commit().beganAt(),
        record.commit().endedAt(),
        transactionId(record.commit().transactionId()),
        record.begin().bytes());
  }

  Statement altered(LogRecord.TableAltered record) {
    byte[] begin = record.begin().bytes();
    byte[] id = Arrays.copyOfRange(begin, begin.length - TRANSACTION_ID_BYTES, begin.length);
    return insert(record.lsn(), record.at(), record.at(), id, begin);
  }

  /** The entry of an instance's creation carries its create date. */
  Statement enabled(LogRecord.InstanceEnabled record) {
    return withoutTransaction(record.lsn(), record.instance().createDate());
  }

  Statement idle(LogLsn lsn, LocalDateTime now) {
    return withoutTransaction(lsn, now);
  }

  Statement clear() {
    return Sql.statement("DELETE FROM " + TABLE);
  }

  Statement deleteBelow(byte[] lsn) {
    return Sql.statement("DELETE FROM " + TABLE + " WHERE start_lsn < ?", (Object) lsn);
  }

  byte @Nullable [] maxLsn() {
    return (byte[]) single("SELECT MAX(start_lsn) FROM " + TABLE);
  }

  Optional<LocalDateTime> newestEndTime() {
    return Optional.ofNullable(
        ColumnValues.time(single("SELECT MAX(tran_end_time) FROM " + TABLE)));
  }

  @Nullable LocalDateTime endTime(byte[] lsn) {
    return ColumnValues.time(
        single("SELECT tran_end_time FROM " + TABLE + " WHERE start_lsn = ?", (Object) lsn));
  }

  byte @Nullable [] largest(String operator, LocalDateTime time) {
    return byTime("MAX", operator, time);
  }

  byte @Nullable [] smallest(String operator, LocalDateTime time) {
    return byTime("MIN", operator, time);
  }

  /** Times may step back while LSNs go on: the nearest time decides, then the LSN. */
  private byte @Nullable [] byTime(String end, String operator, LocalDateTime time) {
    Object nearest =
        single(
            "SELECT "
                + end
                + "(tran_end_time) FROM "
                + TABLE
                + " WHERE tran_end_time "
                + operator
                + " ?",
            time);
    return nearest == null
        ? null
        : (byte[])
            single(
                "SELECT " + end + "(start_lsn) FROM " + TABLE + " WHERE tran_end_time = ?",
                nearest);
  }

  private @Nullable Object single(String sql, @Nullable Object... arguments) {
    List<@Nullable Object[]> rows = store.query(sql, arguments);
    return rows.isEmpty() ? null : rows.get(0)[0];
  }

  private static Statement withoutTransaction(LogLsn lsn, LocalDateTime at) {
    return insert(lsn, at, at, NO_TRANSACTION, new byte[LogLsn.BYTES]);
  }

  private static Statement insert(
      LogLsn lsn, LocalDateTime began, LocalDateTime ended, byte[] transaction, byte[] beginLsn) {
    return Sql.statement(
        "INSERT INTO " + TABLE + " VALUES (?, ?, ?, ?, ?)",
        lsn.bytes(),
        ColumnValues.datetime(began),
        ColumnValues.datetime(ended),
        transaction,
        beginLsn);
  }

  private static byte[] transactionId(long id) {
    byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(id).array();
    return Arrays.copyOfRange(bytes, Long.BYTES - TRANSACTION_ID_BYTES, Long.BYTES);
  }
}
