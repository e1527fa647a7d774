package io.github.mssqlcdc.testkit.sqlserver.cdc;

import java.nio.ByteBuffer;
import java.util.Comparator;

/**
 * Position of a record in the transaction log: ten bytes, big-endian.
 *
 * @param file sequence number of the virtual log file, 4 bytes
 * @param block offset of the log block in it, 4 bytes
 * @param slot number of the record in the block, 2 bytes
 */
record LogLsn(int file, int block, int slot) implements Comparable<LogLsn> {
  static final int BYTES = 10;
  private static final Comparator<LogLsn> ORDER =
      Comparator.comparing(LogLsn::file, Integer::compareUnsigned)
          .thenComparing(LogLsn::block, Integer::compareUnsigned)
          .thenComparing(LogLsn::slot);

  byte[] bytes() {
    return ByteBuffer.allocate(BYTES).putInt(file).putInt(block).putShort((short) slot).array();
  }

  @Override
  public int compareTo(LogLsn other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return String.format("%08x:%08x:%04x", file, block, slot);
  }
}
