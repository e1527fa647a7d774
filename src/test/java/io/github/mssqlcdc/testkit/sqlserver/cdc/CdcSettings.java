package io.github.mssqlcdc.testkit.sqlserver.cdc;

/**
 * What nobody could look up about SQL Server: both readings can be had.
 *
 * @param untouchedLob what the after-image of an update holds for a (max), text, ntext, image or
 *     xml column that the update left alone
 * @param multiRowUpdate command ids of an UPDATE of several rows
 * @param deferredUpdates which updates become a delete and an insert
 * @param unchangedUpdates what an update leaves that changed no captured column
 * @param lsnMapAccess who may read {@code cdc.lsn_time_mapping}
 * @param commandIds whether change tables have {@code __$command_id}: they don't on servers without
 *     the cumulative update that brought it
 */
public record CdcSettings(
    UntouchedLob untouchedLob,
    MultiRowUpdate multiRowUpdate,
    DeferredUpdates deferredUpdates,
    UnchangedUpdates unchangedUpdates,
    LsnMapAccess lsnMapAccess,
    CommandIds commandIds) {

  public enum UntouchedLob {
    VALUE,
    NULL
  }

  public enum MultiRowUpdate {
    ONE_COMMAND_ID,
    COMMAND_ID_PER_ROW
  }

  public enum DeferredUpdates {
    ANY_UNIQUE_INDEX,
    PRIMARY_KEY
  }

  public enum UnchangedUpdates {
    NO_ROWS,
    ROWS
  }

  public enum LsnMapAccess {
    EVERYBODY,
    DB_OWNER
  }

  public enum CommandIds {
    COLUMN,
    NO_COLUMN
  }

  public static CdcSettings defaults() {
    return new CdcSettings(
        UntouchedLob.VALUE,
        MultiRowUpdate.ONE_COMMAND_ID,
        DeferredUpdates.ANY_UNIQUE_INDEX,
        UnchangedUpdates.NO_ROWS,
        LsnMapAccess.EVERYBODY,
        CommandIds.COLUMN);
  }

  public CdcSettings with(UntouchedLob value) {
    return new CdcSettings(
        value, multiRowUpdate, deferredUpdates, unchangedUpdates, lsnMapAccess, commandIds);
  }

  public CdcSettings with(MultiRowUpdate value) {
    return new CdcSettings(
        untouchedLob, value, deferredUpdates, unchangedUpdates, lsnMapAccess, commandIds);
  }

  public CdcSettings with(DeferredUpdates value) {
    return new CdcSettings(
        untouchedLob, multiRowUpdate, value, unchangedUpdates, lsnMapAccess, commandIds);
  }

  public CdcSettings with(UnchangedUpdates value) {
    return new CdcSettings(
        untouchedLob, multiRowUpdate, deferredUpdates, value, lsnMapAccess, commandIds);
  }

  public CdcSettings with(LsnMapAccess value) {
    return new CdcSettings(
        untouchedLob, multiRowUpdate, deferredUpdates, unchangedUpdates, value, commandIds);
  }

  public CdcSettings with(CommandIds value) {
    return new CdcSettings(
        untouchedLob, multiRowUpdate, deferredUpdates, unchangedUpdates, lsnMapAccess, value);
  }
}
