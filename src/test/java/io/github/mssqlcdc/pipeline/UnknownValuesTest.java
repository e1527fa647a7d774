package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.spark.TestSession;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcSettings;
import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcSettings.UntouchedLob;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each image under both readings of what an update's after-image holds. */
@Tag("spark")
class UnknownValuesTest {

  @ParameterizedTest
  @EnumSource
  void everyOperationSaysWhatItDoesNotCarry(UntouchedLob reading, @TempDir Path folder)
      throws Exception {
    try (StandIn standIn = StandIn.builder().cdc(CdcSettings.defaults().with(reading)).start();
        StandInDatabase database = StandInDatabase.create(standIn)) {
      LargeValues values = new LargeValues(database, folder);
      values.create();
      values.snapshot();
      values.change();
      values.ingest();

      assertThat(
              texts(
                  values.bronze(
                      "_operation, id, hex(_update_mask), concat_ws(',', _unknown_columns)",
                      "_operation <> 0")))
          .isEqualTo(images(reading));
      assertThat(texts(values.bronze("id, _unknown_columns, _update_mask, m", "_operation = 0")))
          .containsExactly("1|null|null|m1", "2|null|null|m2", "3|null|null|null");
      assertThat(values.bronze("*", "_operation = 0").get(0).schema().fieldNames())
          .startsWith(
              "_capture_instance",
              "_start_lsn",
              "_seqval",
              "_operation",
              "_command_id",
              "_commit_ts",
              "_unknown_columns",
              "_update_mask",
              "id");
      UnknownValuesContractTest.requireTruth(values);
      assertThat(values.changed("_operation = 4"))
          .containsExactly("v", "m", "v", "t,i,n,x", "v", "v");
      assertThat(values.currentState())
          .isEqualTo(values.source())
          .containsExactly(
              "1|3|null|null|12|n2|<x>2</x>|B1",
              "4|2|null|null|null|null|null|null",
              "20|2|m2|t2|22|n2|<x>2</x>|B2");
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 01", "8, 80", "9, 0100", "16, 8000", "17, 010000", "25, 01000000"})
  void theDocumentedExpressionFindsAColumnsBit(int n, String mask) throws IOException {
    List<Integer> found = new ArrayList<>();
    for (int column = 1; column <= mask.length() * 4; column++) {
      String sql = "SELECT " + LargeValues.isChanged(column) + " FROM VALUES (X'" + mask + "')";
      if (TestSession.get().sql(sql + " AS m(_update_mask)").head().getBoolean(0)) {
        found.add(column);
      }
    }
    assertThat(found).containsExactly(n);
  }

  private static List<String> texts(List<Row> rows) {
    return rows.stream().map(row -> row.mkString("|")).toList();
  }

  /**
   * Operation, id, mask, unknown columns; bits: id 01, v 02, m 04, t 08, i 10, n 20, x 40, b 80.
   */
  private static List<String> images(UntouchedLob reading) {
    boolean isNull = reading == UntouchedLob.NULL;
    return List.of(
        "2|4|FF|",
        "3|1|02|m,t,i,n,x,b",
        "4|1|02|" + (isNull ? "m,t,i,n,x,b" : ""),
        "3|1|04|t,i,n,x,b",
        "4|1|04|" + (isNull ? "t,i,n,x,b" : ""),
        "3|1|02|m,t,i,n,x,b",
        "4|1|02|" + (isNull ? "m,t,i,n,x,b" : "m"),
        "3|1|78|m,t,i,n,b",
        "4|1|78|" + (isNull ? "m,b" : "m"),
        "1|2|FF|t,i,n",
        "2|20|FF|",
        "3|20|02|m,t,i,n,x,b",
        "4|20|02|" + (isNull ? "m,t,i,n,x,b" : ""),
        "1|3|FF|t,i,n",
        "1|4|FF|t,i,n",
        "2|4|FF|",
        "3|4|02|m,t,i,n,x,b",
        "4|4|02|m,t,i,n,x,b");
  }
}
