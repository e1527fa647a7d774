package io.github.mssqlcdc.testkit.sqlserver.cdc;

/**
 * Writes positions as a transaction log does: records fill slots of a block, a commit closes the
 * block, full blocks and full files give way to the next. Not thread-safe.
 */
final class LsnAllocator {
  private static final int FIRST_BLOCK = 0x10;
  private static final int SECTORS_PER_FILE = 0x1000;
  private static final int RECORDS_PER_BLOCK = 240;
  private static final int RECORDS_PER_SECTOR = 4;
  private static final int SECTORS_BETWEEN_COMMITS = 8;

  private int file = 0x26;
  private int block = FIRST_BLOCK;
  private int slot;

  /** Position of the next log record. */
  LogLsn next() {
    if (slot == RECORDS_PER_BLOCK) {
      closeBlock();
    }
    slot++;
    return new LogLsn(file, block, slot);
  }

  /** Position of a commit: nothing else goes into its block. */
  LogLsn commit() {
    LogLsn commit = next();
    closeBlock();
    return commit;
  }

  private void closeBlock() {
    block += SECTORS_BETWEEN_COMMITS + slot / RECORDS_PER_SECTOR;
    slot = 0;
    if (block >= SECTORS_PER_FILE) {
      file++;
      block = FIRST_BLOCK;
    }
  }
}
