package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.backfill.Seed;
import io.github.mssqlcdc.backfill.SeedPoint;
import io.github.mssqlcdc.backfill.SeedRows;
import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.UnknownOptions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A request to begin a Delta table with a copy of the source table. Not thread-safe.
 *
 * <pre>{@code
 * Offset at =
 *     CdcStream.of(spark, options)
 *         .seed("bronze.orders", spark.table("lake.orders"), Instant.parse("2026-09-30T02:00:00Z"))
 *         .appId("orders-v1")
 *         .factsTable("ops.ingestion_facts")
 *         .run();
 * }</pre>
 */
public final class SeedRequest {
  private static final Duration MARGIN = Duration.ofSeconds(60);
  private static final Duration MAX_MARGIN = Duration.ofDays(30);

  private final SparkSession spark;
  private final Map<String, String> options;
  private final String target;
  private final Dataset<Row> copy;
  private final @Nullable Instant time;
  private final @Nullable Lsn lsn;
  private @Nullable String appId;
  private @Nullable String factsTable;
  private @Nullable Duration margin;
  private boolean allowMissingColumns;
  private boolean reseed;

  private SeedRequest(
      SparkSession spark,
      Map<String, String> options,
      String target,
      Dataset<Row> copy,
      @Nullable Instant time,
      @Nullable Lsn lsn) {
    this.spark = spark;
    this.options = options;
    this.target = target;
    this.copy = copy;
    this.time = time;
    this.lsn = lsn;
  }

  static SeedRequest of(
      SparkSession spark,
      Map<String, String> options,
      String target,
      Dataset<Row> copy,
      Instant asOf) {
    return new SeedRequest(spark, options, target, copy, asOf, null);
  }

  static SeedRequest of(
      SparkSession spark, Map<String, String> options, String target, Dataset<Row> copy, Lsn asOf) {
    return new SeedRequest(spark, options, target, copy, null, asOf);
  }

  /**
   * The application id of the stream that the target belongs to; needed with a facts table.
   *
   * <pre>{@code
   * orders.seed("bronze.orders", copy, asOf).appId("orders-v1").run();
   * }</pre>
   */
  public SeedRequest appId(String appId) {
    this.appId = appId;
    return this;
  }

  /**
   * The facts table of that stream: it gets the row that tells of the bootstrap, and says whether
   * another snapshot is open.
   *
   * <pre>{@code
   * orders.seed("bronze.orders", copy, asOf)
   *     .appId("orders-v1")
   *     .factsTable("ops.ingestion_facts")
   *     .run();
   * }</pre>
   */
  public SeedRequest factsTable(String factsTable) {
    this.factsTable = factsTable;
    return this;
  }

  /**
   * Whether the copy may lack captured columns. Their values are unknown then, which {@code
   * _unknown_columns} says of each row, until a change brings them; NULL would claim to know them.
   * Without it such a copy is refused.
   *
   * <pre>{@code
   * orders.seed("bronze.orders", copy, asOf).allowMissingColumns(true).run();
   * }</pre>
   */
  public SeedRequest allowMissingColumns(boolean allowMissingColumns) {
    this.allowMissingColumns = allowMissingColumns;
    return this;
  }

  /**
   * Whether the target may hold an older snapshot of the table, which this one replaces: after a
   * data loss. The stream then needs a new appId and checkpoint.
   *
   * <pre>{@code
   * orders.seed("bronze.orders", newerCopy, asOf).reseed(true).run();
   * }</pre>
   */
  public SeedRequest reseed(boolean reseed) {
    this.reseed = reseed;
    return this;
  }

  /**
   * How much earlier than its time the copy is taken to end, 60 s unless set: by as much may the
   * clock that gave the time be ahead of the server's. Only for a time.
   *
   * <pre>{@code
   * orders.seed("bronze.orders", copy, asOf).margin(Duration.ofMinutes(10)).run();
   * }</pre>
   *
   * @param margin not negative, 30 days at most
   */
  public SeedRequest margin(Duration margin) {
    this.margin = margin;
    return this;
  }

  /**
   * Appends the copy as snapshot rows in one Delta commit, unless the target holds this seed
   * already: then nothing is read. All refusals come before anything is written.
   *
   * <pre>{@code
   * Offset at = orders.seed("bronze.orders", copy, asOf).run();
   * }</pre>
   *
   * @return its position: a stream that starts there reads every change after the copy
   * @throws io.github.mssqlcdc.error.InvalidRequestException if an argument is missing or isn't
   *     allowed, the copy's columns don't fit, the target holds another snapshot, or one is open
   * @throws io.github.mssqlcdc.error.DataLossException if CDC no longer has the changes after the
   *     copy
   */
  public Offset run() {
    DeltaTableRef bronzeRef = new DeltaTableRef(target);
    String facts = Arguments.optional(factsTable, "factsTable");
    String id = Arguments.appIdOf(facts, appId);
    SeedPoint point = point();
    UnknownOptions.log(options);
    RequestTables tables =
        RequestTables.open(spark, bronzeRef, facts == null ? null : new DeltaTableRef(facts));
    Source source = Source.reach(spark, options);
    StructType schema = source.frames().schema(UUID.randomUUID().toString());
    source.requireFits(tables.target(), () -> false);
    SeedRows rows =
        SeedRows.of(
            copy,
            schema,
            source.seedColumns(schema),
            allowMissingColumns ? SeedRows.Missing.UNKNOWN : SeedRows.Missing.REFUSED);
    BronzeTable bronze = source.bronze(tables.target());
    bronze.requireTakes(rows.schema());
    return source
        .seedInto(bronze, Clock.systemUTC())
        .run(
            point,
            rows,
            reseed ? Seed.Target.WITH_OLDER_SNAPSHOT : Seed.Target.WITHOUT_SNAPSHOT,
            facts(tables, id));
  }

  private SeedPoint point() {
    if (lsn != null) {
      if (margin != null) {
        throw Arguments.invalid(
            "Invalid margin "
                + margin
                + ": it is for a copy whose time is known; one that ends at an LSN needs none."
                + " Leave it out");
      }
      return new SeedPoint.Position(lsn);
    }
    if (time == null) {
      throw Arguments.invalid("Missing asOf: give the time or LSN at which the copy ends");
    }
    if (margin == null) {
      return new SeedPoint.Time(time, MARGIN);
    }
    if (margin.isNegative() || margin.compareTo(MAX_MARGIN) > 0) {
      throw Arguments.invalid("Invalid margin " + margin + ": 0 to 30 days are allowed");
    }
    return new SeedPoint.Time(time, margin);
  }

  private static Seed.Facts facts(RequestTables tables, @Nullable String id) {
    return id == null
        ? new Seed.Facts(() -> null, () -> null)
        : new Seed.Facts(
            () -> tables.eventsThere(id, Clock.systemUTC()),
            () -> tables.events(id, Clock.systemUTC()));
  }
}
