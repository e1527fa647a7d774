package io.github.mssqlcdc.delta.table;

import io.delta.tables.DeltaTable;
import io.github.mssqlcdc.delta.table.Append.Outcome;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.delta.DeltaLog;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.jdk.javaapi.CollectionConverters;

/** A Delta table, by name or path, as the library's writers use it. Not thread-safe. */
public final class LakeTable {
  private static final Logger LOG = LoggerFactory.getLogger(LakeTable.class);

  private static final int COMMITS_OF_A_NEW_TABLE = 4;

  private final SparkSession spark;
  private final DeltaTableRef ref;
  private final Appends appends;
  private @Nullable OpenTable opened;

  /**
   * @param through how appends reach Delta at first
   */
  LakeTable(SparkSession spark, DeltaTableRef ref, Appends.Door through) {
    this.spark = spark;
    this.ref = ref;
    this.appends = new Appends(spark, this, through);
  }

  /** The table of this name or path; whether it exists is found out when needed. */
  public static LakeTable of(SparkSession spark, DeltaTableRef ref) {
    return new LakeTable(spark, ref, Appends.Door.INSIDE);
  }

  public DeltaTableRef ref() {
    return ref;
  }

  /**
   * Whether the table exists.
   *
   * @throws InvalidRequestException if it is no Delta table
   */
  public boolean exists() {
    if (opened == null) {
      opened = find().map(OpenTable::new).orElse(null);
    }
    return opened != null && opened.log().unsafeVolatileSnapshot().version() >= 0;
  }

  /**
   * Finds out, before anything is read or written, whether a table is there or may be made there.
   *
   * @throws InvalidRequestException if the name or path leads nowhere
   */
  public void requirePlace() {
    TablePlace.require(spark, ref, this::exists);
  }

  /** Where the table is, or would be: the same text for every spelling of one table. */
  public String place() {
    return exists()
        ? TablePlace.qualified(spark, open().log().dataPath())
        : TablePlace.ofNew(spark, ref);
  }

  /** Whether another spelling leads to this table, too; a name may lead nowhere by now. */
  public boolean isCalled(String spelling) {
    if (spelling.equals(ref.text())) {
      return true;
    }
    try {
      return of(spark, new DeltaTableRef(spelling)).place().equals(place());
    } catch (InvalidRequestException e) {
      return false;
    }
  }

  /**
   * Finds out, before rows are read, whether an append of such rows will pass. A table that isn't
   * there takes any.
   *
   * @throws InvalidRequestException if it won't; the message has the statement that helps
   */
  public void requireTakes(StructType rows) {
    if (exists()) {
      new SchemaFit(ref, schema(), properties()).require(rows);
    }
  }

  /** Creates the table unless it exists, also when another writer is creating it. */
  public void createIfMissing(TableDefinition definition) {
    if (!exists()) {
      new TableMaking(spark, this).create(definition);
      opened = null;
    }
  }

  /**
   * Gives the table the columns and comments of its definition that it lacks, and then the
   * properties, unless it has them. Another writer may be doing the same.
   */
  public void upgrade(TableDefinition definition, Map<String, String> stamp) {
    new TableMaking(spark, this).upgrade(definition, stamp);
  }

  /** The id that Delta gave the table when it was made; another table of its name has another. */
  public String id() {
    return open().snapshot().metadata().id();
  }

  public StructType schema() {
    return open().snapshot().metadata().schema();
  }

  public Map<String, String> properties() {
    return CollectionConverters.asJava(open().snapshot().metadata().configuration());
  }

  /** The table's rows. */
  public Dataset<Row> read() {
    return ref.isPath()
        ? spark.read().format("delta").load(ref.text())
        : spark.read().table(ref.text());
  }

  /** The table's rows as they were at one of its versions. */
  public Dataset<Row> readAt(long version) {
    var reader = spark.read().option("versionAsOf", version);
    return ref.isPath() ? reader.format("delta").load(ref.text()) : reader.table(ref.text());
  }

  /** Whether rows are read from files of this table, at least in part. */
  public boolean isReadBy(Dataset<Row> rows) {
    Path folder = open().log().dataPath();
    String prefix = folder.toUri().getPath() + "/";
    return Arrays.stream(rows.inputFiles())
        .map(URI::create)
        .anyMatch(
            file ->
                Objects.equals(file.getAuthority(), folder.toUri().getAuthority())
                    && file.getPath().startsWith(prefix));
  }

  /** The highest transaction version of an application id; empty if the table has none. */
  public OptionalLong latestTransaction(String appId) {
    if (!exists()) {
      return OptionalLong.empty();
    }
    OpenTable table = open();
    return table.transactions().latest(table.snapshot(), appId);
  }

  /** The commit that carries this transaction id, looked for from the newest one backwards. */
  public Optional<Commit> find(TransactionId id) {
    return exists()
        ? open()
            .transactions()
            .carrier(id)
            .or(() -> newestCommits().filter(commit -> commit.carries(id)).findFirst())
        : Optional.empty();
  }

  /** The rows that a commit appended; empty once its files are gone. */
  public Optional<Dataset<Row>> rowsOf(Commit commit) {
    return rowsOf(commit.version(), commit.version());
  }

  /**
   * The rows that the commits of these versions appended; empty once one of them, or a file of
   * theirs, is gone. Commits that change or move rows that are there don't count.
   */
  public Optional<Dataset<Row>> rowsOf(long first, long last) {
    OpenTable table = open();
    try {
      return new CommitRows(table.log(), table.commits()).read(table.snapshot(), first, last);
    } catch (LinkageError e) {
      LOG.warn("{}: the files of a commit can't be read with this Delta release", ref, e);
      return Optional.empty();
    }
  }

  /** The commits that the log still has, newest first, each read when it is reached. */
  public Stream<Commit> newestCommits() {
    if (!exists()) {
      return Stream.empty();
    }
    OpenTable table = open();
    long newest = table.snapshot().version();
    return LongStream.rangeClosed(0, newest)
        .mapToObj(back -> table.commits().read(newest - back))
        .takeWhile(Optional::isPresent)
        .map(Optional::get);
  }

  /** The table's version; -1 if it doesn't exist. */
  public long version() {
    return exists() ? open().snapshot().version() : -1;
  }

  /** The commits after this version, oldest first, but for those that log cleanup has removed. */
  public Stream<Commit> commitsAfter(long version) {
    return LongStream.rangeClosed(version + 1, version())
        .mapToObj(this::commit)
        .flatMap(Optional::stream);
  }

  /** The table's first commits, oldest first; empty once log cleanup has removed the first. */
  public Stream<Commit> oldestCommits() {
    if (!exists()) {
      return Stream.empty();
    }
    OpenTable table = open();
    return LongStream.rangeClosed(0, table.snapshot().version())
        .mapToObj(table.commits()::read)
        .takeWhile(Optional::isPresent)
        .map(Optional::get);
  }

  /**
   * Whether no commit has brought a row yet, as far as a short look at the log tells; false where
   * it doesn't.
   */
  public boolean isNew() {
    long newest = version();
    return newest < COMMITS_OF_A_NEW_TABLE
        && LongStream.rangeClosed(0, newest)
            .allMatch(at -> open().commits().added(at).filter(List::isEmpty).isPresent());
  }

  /** The commit of this table version; empty if the log doesn't have it. */
  public Optional<Commit> commit(long version) {
    return open().commits().read(version);
  }

  /**
   * Appends rows, once. New columns are added to the table. Conflicts with other writers are
   * retried, and read {@code rows} again.
   */
  public Outcome append(Dataset<Row> rows, Append append) {
    return appends.append(rows, append);
  }

  /**
   * Appends a few rows that are in memory, once, without a Spark job where the table allows it.
   *
   * @param rows of {@code schema}
   * @throws IllegalArgumentException if the table lacks a column of the schema
   */
  public Outcome append(List<Row> rows, StructType schema, TransactionId id) {
    return appends.append(rows, schema, id);
  }

  /** The same without a transaction id: each call appends. */
  public void append(List<Row> rows, StructType schema) {
    appends.append(rows, schema);
  }

  /** Changes of its rows that are no appends. */
  public RowChanges changes() {
    return new RowChanges(spark, ref, () -> open().log().dataPath().toString());
  }

  OpenTable open() {
    if (!exists() || opened == null) {
      throw new CdcException(ErrorCode.INVALID_TARGET, "Unknown table '" + ref + "'");
    }
    return opened;
  }

  private Optional<DeltaLog> find() {
    if (ref.isPath()) {
      return DeltaTable.isDeltaTable(spark, ref.text())
          ? Optional.of(DeltaTable.forPath(spark, ref.text()).deltaLog())
          : Optional.empty();
    }
    if (!spark.catalog().tableExists(ref.text())) {
      return Optional.empty();
    }
    try {
      return Optional.of(DeltaTable.forName(spark, ref.text()).deltaLog());
    } catch (Exception e) {
      if (e instanceof AnalysisException) {
        throw new InvalidRequestException(
            ErrorCode.INVALID_TARGET,
            "Unsupported table '" + ref + "': it is no Delta table; name one, or a new table",
            e);
      }
      throw e;
    }
  }
}
