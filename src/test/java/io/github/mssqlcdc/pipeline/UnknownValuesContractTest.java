package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What images hold of large columns differs; what bronze says of it doesn't: a value is never
 * called unknown, and a NULL that isn't is one.
 */
@Tag("spark")
class UnknownValuesContractTest {

  @Test
  void whatIsNotCalledUnknownIsTrue(@TempDir Path folder) throws Exception {
    try (TestDatabase database = TestDatabases.create()) {
      LargeValues values = new LargeValues(database, folder);
      values.create();
      values.snapshot();
      values.change();
      values.ingest();

      requireTruth(values);
      assertThat(values.currentState()).isEqualTo(values.source());
      // 2 and 3 are deleted, 4 was and is there again
      assertThat(values.newestImages()).containsExactly("1|3|4", "4|2|4", "20|2|4");
    }
  }

  @Test
  void bothFormatsHaveOneSchema(@TempDir Path folder) {
    try (TestDatabase database = TestDatabases.create()) {
      LargeValues values = new LargeValues(database, folder);
      values.create();

      assertThat(schema(values, "mssql_cdc_snapshot")).isEqualTo(schema(values, "mssql_cdc"));
      for (String columns : List.of("id BIGINT, M STRING", "i BINARY", "id INT, v INT")) {
        for (String isThere : List.of("true", "false")) {
          String[] options = {
            "columns", columns, "includeUpdateMask", isThere, "includeCommandId", isThere
          };
          StructType schema = schema(values, "mssql_cdc", options);

          assertThat(schema(values, "mssql_cdc_snapshot", options)).isEqualTo(schema);
          assertThat(List.of(schema.fieldNames()).contains("_unknown_columns"))
              .isEqualTo(!columns.equals("id INT, v INT"));
          assertThat(List.of(schema.fieldNames()).contains("_update_mask"))
              .isEqualTo(isThere.equals("true"));
        }
      }
    }
  }

  private static StructType schema(LargeValues values, String format, String... more) {
    Map<String, String> options = values.options();
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return format.equals("mssql_cdc")
        ? TestSession.get().readStream().format(format).options(options).load().schema()
        : TestSession.get().read().format(format).options(options).load().schema();
  }

  static void requireTruth(LargeValues values) {
    List<Row> images =
        values.bronze(
            "_operation, id, m, t, hex(i) AS i, n, x, hex(b) AS b, _unknown_columns",
            "_operation <> 0");
    assertThat(images).hasSameSizeAs(LargeValues.TRUE_IMAGES);
    for (int place = 0; place < images.size(); place++) {
      Row image = images.get(place);
      String[] truth = LargeValues.TRUE_IMAGES.get(place).split("\\|");
      assertThat(image.get(0) + "|" + image.get(1)).isEqualTo(truth[0] + "|" + truth[1]);
      int list = image.fieldIndex("_unknown_columns");
      List<String> unknown = image.isNullAt(list) ? List.of() : image.getList(list);
      for (int i = 0; i < LargeValues.LARGE.size(); i++) {
        String name = LargeValues.LARGE.get(i);
        String expected = unknown.contains(name) ? "null" : truth[i + 2];
        assertThat(String.valueOf(image.<Object>getAs(name)))
            .as("column %s of image %s, %s", name, place, image)
            .isEqualTo(expected);
      }
    }
  }
}
