package io.github.mssqlcdc.bronze;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.testkit.delta.ChangeRows;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructField;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("spark")
class BronzeTableTest {
  private static final String COMMENT =
      "Captured columns whose null means that this image does not carry them";

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void unknownColumnsAreCommentedAndHaveNoStatistics() {
    append(0, withUnknown(rows(1)), "early");

    assertThat(field("early").getComment().get()).isEqualTo(COMMENT);
    assertThat(table("early").properties().get("delta.dataSkippingStatsColumns"))
        .contains("_start_lsn")
        .doesNotContain("_unknown_columns");
  }

  @Test
  void unknownColumnsComeLaterWithTheFirstLargeColumnOfATable() {
    append(0, rows(1), "late");
    String statistics = table("late").properties().get("delta.dataSkippingStatsColumns");
    append(1, withUnknown(rows(2)), "late");
    append(2, rows(3), "late");

    assertThat(field("late").getComment().get()).isEqualTo(COMMENT);
    assertThat(table("late").properties().get("delta.dataSkippingStatsColumns"))
        .isEqualTo(statistics);
    assertThat(table("late").read().select("id", "_unknown_columns").orderBy("id").collectAsList())
        .extracting(row -> row.mkString(" "))
        .containsExactly("1 null", "2 ArraySeq(name)", "3 null");
  }

  @Test
  void unknownColumnsAreNamedAsTheTableSpellsThem() {
    append(0, withUnknown(rows(1)), "spelt");
    append(
        1,
        withUnknown(rows(2))
            .withColumnRenamed("name", "NAME")
            .withColumn("_unknown_columns", functions.expr("array('NAME')")),
        "spelt");

    assertThat(table("spelt").read().select("id", "_unknown_columns").orderBy("id").collectAsList())
        .extracting(row -> row.mkString(" "))
        .containsExactly("1 ArraySeq(name)", "2 ArraySeq(name)");
  }

  private void append(long batch, Dataset<Row> rows, String name) {
    // a sink of its own for each, as after a restart
    BronzeTable bronze = new BronzeTable(table(name), List.of("id"), List.of());
    Lsn end = new Lsn(0, (int) (batch + 1));
    var unused =
        bronze.append(
            rows,
            new BatchKey("documents", batch),
            new BatchRange(new Lsn(0, (int) batch), Offset.of(end)),
            0,
            new BronzeTable.Checks(latest -> {}, () -> true),
            List.of());
  }

  private static Dataset<Row> rows(int id) {
    return new ChangeRows().change(2, id, id, null).frame();
  }

  private static Dataset<Row> withUnknown(Dataset<Row> rows) {
    return rows.selectExpr(
        "_capture_instance",
        "_start_lsn",
        "_seqval",
        "_operation",
        "_command_id",
        "_commit_ts",
        "array('name') AS _unknown_columns",
        "id",
        "name");
  }

  private StructField field(String name) {
    return table(name).schema().apply("_unknown_columns");
  }

  private LakeTable table(String name) {
    return LakeTable.of(TestSession.get(), new DeltaTableRef(folder.resolve(name).toString()));
  }
}
