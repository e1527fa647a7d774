package io.github.mssqlcdc.sink;

import static io.github.mssqlcdc.testkit.delta.ChangeRows.lsn;
import static io.github.mssqlcdc.testkit.delta.ChangeRows.time;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.BatchMeasure;
import io.github.mssqlcdc.metric.RangeMeasure;
import io.github.mssqlcdc.metric.StreamLedger;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.testkit.delta.ChangeRows;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** A sink over tables in a folder of the test, and the batches it is given. */
@Tag("spark")
abstract class SinkFixture {
  static final LocalDateTime NOW = LocalDateTime.of(2026, 10, 1, 13, 0);
  static final Clock CLOCK = Clock.fixed(Instant.parse("2026-10-01T13:00:00Z"), ZoneOffset.UTC);
  static final String ADVICE =
      ". Another writer uses this appId: a second job, a driver that was thought dead, or this job"
          + " with a new or older checkpoint. Stop the other one, or go on with the checkpoint that"
          + " wrote these batches, or give this stream an appId of its own";

  @TempDir
  @SuppressWarnings("NullAway.Init")
  Path folder;

  final SparkSession spark = TestSession.get();
  StreamLedger ledger;
  String bronzeName;
  String factsName;

  @BeforeEach
  void nameTables() {
    ledger = new StreamLedger(CLOCK);
    bronzeName = folder.resolve("bronze").toString();
    factsName = folder.resolve("facts").toString();
  }

  LakeTable bronze() {
    return open(bronzeName);
  }

  LakeTable facts() {
    return open(factsName);
  }

  /** How the tables are written to is for each suite to say. */
  LakeTable open(String name) {
    return LakeTable.of(spark, new DeltaTableRef(name));
  }

  BatchSink sink() {
    return sink(FactsTable.open(facts()));
  }

  BatchSink sink(@Nullable FactsTable facts) {
    return new BatchSink(
        "orders-v1", 0, new BronzeTable(bronze(), List.of("ID"), List.of()), facts, ledger, CLOCK);
  }

  static Offset offset(long number) {
    return new Offset(new Lsn(0, (int) number), time(number), time(number).minusHours(3));
  }

  /** A batch (start, end] whose ranges have been read by the time that the sink asks again. */
  void plan(long start, long end, @Nullable RangeMeasure read) {
    ledger.planned(
        offset(start),
        offset(end),
        read == null ? 0 : 1,
        new BatchMeasure(
            read == null ? RangeMeasure.NOTHING : null,
            1.5,
            time(0).minusHours(70).minusMinutes(3),
            time(end).plusSeconds(60),
            2.5));
    if (read != null) {
      ledger.reported(offset(start), offset(end), 0, read);
    }
  }

  void planHeld(long start, long end) {
    ledger.planned(offset(start), offset(end), 0, new BatchMeasure(null, null, null, null, null));
  }

  static RangeMeasure measure() {
    return new RangeMeasure(4, 2_500_000, 1, 1, 1, lsn(1), lsn(2), time(1), time(2), 0.25, 7L);
  }

  static Dataset<Row> rows() {
    return new ChangeRows()
        .change(2, 1, 1, "a")
        .change(3, 2, 1, "a")
        .change(4, 2, 1, "b")
        .change(1, 2, 2, "c")
        .frame();
  }

  static Dataset<Row> noRows() {
    return new ChangeRows().frame();
  }

  static Dataset<Row> unreadable() {
    return rows()
        .withColumn(
            "name",
            org.apache
                .spark
                .sql
                .functions
                .raise_error(org.apache.spark.sql.functions.lit("the source was read"))
                .cast("string"));
  }
}
