package io.github.mssqlcdc.options;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.ConfigOption.Formats;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Every option there is. The option reference is checked against {@link #ALL}. */
final class Options {
  static final String DRIVER_PREFIX = "jdbc.";
  static final String INTERNAL_PREFIX = "_";

  static final ConfigOption<String> URL =
      new ConfigOption<>(
          "url",
          Formats.BOTH,
          null,
          "a URL of the Microsoft driver, jdbc:sqlserver://<host>:<port>;databaseName=<database>",
          Parsers::url,
          "JDBC URL of the Microsoft driver. Required.");
  static final ConfigOption<String> USER =
      new ConfigOption<>(
          "user",
          Formats.BOTH,
          null,
          "a login",
          Parsers::text,
          "Login. Leave it out where the URL or a driver property says how to authenticate.");
  static final ConfigOption<String> PASSWORD =
      new ConfigOption<>(
          "password",
          Formats.BOTH,
          null,
          "a password",
          text -> text,
          "Password of the login. Never logged, never part of a message.");
  static final ConfigOption<String> CAPTURE_INSTANCE =
      new ConfigOption<>(
          "captureInstance",
          Formats.BOTH,
          null,
          "the name of a capture instance, for example dbo_orders",
          Parsers::text,
          "Capture instance to read; an exact match wins over one that ignores case. Required.");
  static final ConfigOption<String> COLUMNS =
      new ConfigOption<>(
          "columns",
          Formats.BOTH,
          null,
          "column names with types, for example 'id BIGINT, name STRING'",
          Parsers::text,
          "Captured columns to read, as DDL; a type may be wider than the inferred one. Without it"
              + " all columns are read with their inferred types.");
  static final ConfigOption<Boolean> INCLUDE_COMMAND_ID =
      new ConfigOption<>(
          "includeCommandId",
          Formats.BOTH,
          "true",
          Parsers.BOOLEAN_WORDS,
          Parsers::bool,
          "Whether rows have _command_id, the order of the statement in its commit. Without it images"
              + " of one commit can't be put in order.");
  static final ConfigOption<Boolean> INCLUDE_UPDATE_MASK =
      new ConfigOption<>(
          "includeUpdateMask",
          Formats.BOTH,
          "false",
          Parsers.BOOLEAN_WORDS,
          Parsers::bool,
          "Whether rows have _update_mask, the columns that an update changed, as CDC's raw bits.");
  static final ConfigOption<Integer> NUM_PARTITIONS =
      new ConfigOption<>(
          "numPartitions",
          Formats.BOTH,
          "auto",
          "auto or a positive integer up to 10000",
          Parsers::autoOrPartitions,
          "How many ranges are read at a time, and connections per process. auto: the session's"
              + " default parallelism.");
  static final ConfigOption<Integer> FETCH_SIZE =
      new ConfigOption<>(
          "fetchSize",
          Formats.BOTH,
          "4096",
          "a positive integer up to 1000000",
          Parsers::batchRows,
          "Rows of a column batch.");
  static final ConfigOption<String> SOURCE_TIME_ZONE =
      new ConfigOption<>(
          "sourceTimeZone",
          Formats.BOTH,
          "auto",
          "auto, a Windows or IANA time zone name, or a fixed offset",
          Parsers::text,
          "Time zone of the server's clock: a Windows or IANA name, or a fixed offset. auto: by"
              + " name from SQL Server 2022 on and on Azure; before that the offset of the moment,"
              + " which is wrong for commits from before a change to or from daylight saving"
              + " time.");
  static final ConfigOption<Isolation> ISOLATION_LEVEL =
      new ConfigOption<>(
          "isolationLevel",
          Formats.BOTH,
          "readCommitted",
          "readCommitted or snapshot (dirty reads, as with NOLOCK, are never done)",
          Parsers::isolation,
          "Isolation of reads of the source table: readCommitted or snapshot. Change tables are"
              + " read under READ COMMITTED.");
  static final ConfigOption<Duration> LOCK_TIMEOUT =
      new ConfigOption<>(
          "lockTimeoutMs",
          Formats.BOTH,
          null,
          "milliseconds, or a duration with a unit such as 2s",
          Parsers::millis,
          "How long a read of the source table waits for a lock. Without it the server's own"
              + " setting holds.");
  static final ConfigOption<Duration> LOGIN_TIMEOUT =
      new ConfigOption<>(
          "loginTimeout",
          Formats.BOTH,
          "30s",
          "a positive duration such as 30s; a bare integer means seconds",
          Parsers::timeout,
          "How long a login may take; a bare integer means seconds.");
  static final ConfigOption<Duration> QUERY_TIMEOUT =
      new ConfigOption<>(
          "queryTimeout",
          Formats.BOTH,
          "60s",
          "a positive duration such as 60s; a bare integer means seconds",
          Parsers::timeout,
          "How long metadata statements and polls may take; a bare integer means seconds. Reads of"
              + " rows have a limit of their own.");
  static final ConfigOption<Start> STARTING_LSN =
      new ConfigOption<>(
          "startingLsn",
          Formats.STREAM,
          "earliest",
          "earliest, latest or an LSN such as 0x0000002C000005F00003",
          Parsers::start,
          "Where a stream without a checkpoint begins: earliest (the oldest change retained),"
              + " latest, or after an LSN, which counts as processed.");
  static final ConfigOption<Instant> STARTING_TIMESTAMP =
      new ConfigOption<>(
          "startingTimestamp",
          Formats.STREAM,
          null,
          "an ISO-8601 instant with its offset, for example 2026-09-30T02:00:00Z",
          Parsers::instant,
          "A stream without a checkpoint begins with the commits at or after this time, counted to"
              + " the second; it has to lie within what CDC retains. Not together with"
              + " startingLsn.");
  static final ConfigOption<Long> MAX_COMMITS_PER_BATCH =
      new ConfigOption<>(
          "maxCommitsPerBatch",
          Formats.STREAM,
          null,
          "a positive integer; omit it to read up to max LSN",
          Parsers::cap,
          "Entries of the database's LSN map per micro-batch; those of other tables and idle ones"
              + " count. Without it a batch reads up to max LSN.");
  static final ConfigOption<Long> MAX_ROWS_PER_BATCH =
      new ConfigOption<>(
          "maxRowsPerBatch",
          Formats.STREAM,
          null,
          "a positive integer; omit it to read up to max LSN",
          Parsers::cap,
          "Change rows of the table per micro-batch, in whole commits and at least one. With"
              + " maxCommitsPerBatch the smaller of both caps holds.");
  static final ConfigOption<Boolean> FAIL_ON_DATA_LOSS =
      new ConfigOption<>(
          "failOnDataLoss",
          Formats.STREAM,
          "true",
          Parsers.BOOLEAN_WORDS,
          Parsers::bool,
          "Whether changes that cleanup took before they were read stop the stream. false: it goes"
              + " on with what is left and warns.");
  static final ConfigOption<SchemaChangePolicy> SCHEMA_CHANGE_POLICY =
      new ConfigOption<>(
          "schemaChangePolicy",
          Formats.STREAM,
          "classify",
          "classify or fail",
          Parsers::schemaChangePolicy,
          "What DDL on the table does: classify stops the stream only where the change does harm,"
              + " fail always.");
  static final ConfigOption<Duration> POLL_INTERVAL =
      new ConfigOption<>(
          "pollInterval",
          Formats.STREAM,
          "1s",
          "a duration such as 1s",
          Parsers::duration,
          "How often max LSN is read at most; all streams of a process on the same server, database"
              + " and login share the poll.");
  static final ConfigOption<Duration> IDLE_INTERVAL =
      new ConfigOption<>(
          "idleInterval",
          Formats.STREAM,
          "60s",
          "a duration such as 60s",
          Parsers::duration,
          "How often a batch without rows is made at most, to move the position on while the table"
              + " is quiet.");

  static final ConfigOption<Lsn> SNAPSHOT_LSN =
      new ConfigOption<>(
          "snapshotLsn",
          Formats.SNAPSHOT,
          null,
          "an LSN such as 0x0000002C000005F00003, not above the server's max LSN",
          Lsn::parse,
          "LSN that the rows are stamped with. Without it max LSN, as recorded before the read.");
  static final ConfigOption<List<String>> SNAPSHOT_KEYS =
      new ConfigOption<>(
          "snapshotKeys",
          Formats.SNAPSHOT,
          null,
          "a JSON list of captured columns, each once, for example [\"region\", \"id\"]",
          JsonLists::names,
          "Columns that the table is cut on, and that the bounds of snapshotChunks apply to. Without"
              + " it those of the capture instance's unique index.");
  static final ConfigOption<List<SnapshotChunk>> SNAPSHOT_CHUNKS =
      new ConfigOption<>(
          "snapshotChunks",
          Formats.SNAPSHOT,
          null,
          "a JSON list of [chunk, lo, hi], for example [[0, null, 100], [1, 100, null]]",
          JsonLists::chunks,
          "Parts of the table to read, a partition for each; rows then end with _chunk. Without it"
              + " the whole table.");

  static final ConfigOption<String> LEDGER = internal("_ledger", "a ledger's id", text -> text);
  static final ConfigOption<Offset> STARTING_OFFSET =
      internal("_startingOffset", "an offset's JSON", Offset::parse);
  static final ConfigOption<Offset> SEEN_OFFSET =
      internal("_seenOffset", "an offset's JSON", Offset::parse);
  static final ConfigOption<Offset> SNAPSHOT_OFFSET =
      internal("_snapshotOffset", "an offset's JSON", Offset::parse);
  static final ConfigOption<Lsn> STAMPED_MAX_LSN = internal("_stampedMaxLsn", "an LSN", Lsn::parse);

  /** What users may set, in the order of the option reference. */
  static final List<ConfigOption<?>> ALL =
      List.of(
          URL,
          USER,
          PASSWORD,
          CAPTURE_INSTANCE,
          COLUMNS,
          INCLUDE_COMMAND_ID,
          INCLUDE_UPDATE_MASK,
          NUM_PARTITIONS,
          FETCH_SIZE,
          SOURCE_TIME_ZONE,
          ISOLATION_LEVEL,
          LOCK_TIMEOUT,
          LOGIN_TIMEOUT,
          QUERY_TIMEOUT,
          STARTING_LSN,
          STARTING_TIMESTAMP,
          MAX_COMMITS_PER_BATCH,
          MAX_ROWS_PER_BATCH,
          FAIL_ON_DATA_LOSS,
          SCHEMA_CHANGE_POLICY,
          POLL_INTERVAL,
          IDLE_INTERVAL,
          SNAPSHOT_LSN,
          SNAPSHOT_KEYS,
          SNAPSHOT_CHUNKS);

  private Options() {}

  private static <T> ConfigOption<T> internal(
      String name, String allowed, ConfigOption.Parser<T> parser) {
    return new ConfigOption<>(name, Formats.INTERNAL, null, allowed, parser, "");
  }
}
