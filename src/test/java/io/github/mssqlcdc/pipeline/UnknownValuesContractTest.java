package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Row;
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
    }
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
