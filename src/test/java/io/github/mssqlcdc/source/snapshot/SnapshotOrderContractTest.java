package io.github.mssqlcdc.source.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.chunk.SnapshotKey;
import io.github.mssqlcdc.keyrange.ColumnFilter;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyOrder;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.keyrange.TablePart;
import io.github.mssqlcdc.options.SnapshotOptions;
import io.github.mssqlcdc.source.row.CaptureSet;
import io.github.mssqlcdc.source.row.CapturedTable;
import io.github.mssqlcdc.sqlserver.TestClients;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.type.SelectColumn;
import io.github.mssqlcdc.type.SqlType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A table is read in an order that costs the server no sort, or in none. */
@SuppressWarnings("NullAway.Init")
class SnapshotOrderContractTest {
  private static final KeyColumn ID = new KeyColumn("id", new SqlType("int", 0, 0, 0), null);
  private static TestDatabase database;

  @BeforeAll
  static void create() {
    database = TestDatabases.create();
    table("clustered", "id int NOT NULL PRIMARY KEY, v int NULL", null);
    table("two", "v int NULL, a int NOT NULL, id int NOT NULL, PRIMARY KEY (id, a)", null);
    table("heap", "id int NOT NULL PRIMARY KEY NONCLUSTERED, v int NULL", null);
    table("keyless", "id int NOT NULL, v int NULL", null);
    table("other", "id int NOT NULL PRIMARY KEY, v int NOT NULL", "v");
    database.awaitCapture();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void rowsComeInTheOrderOfAClusteredKeyThatIsRead() {
    assertThat(order("clustered", "id", "v")).containsExactly("id");
    assertThat(order("two", "a", "v", "id")).containsExactly("id", "a");
    assertThat(order("clustered", "v")).as("its index may be narrower").isEmpty();
    assertThat(order("two", "id", "v")).isEmpty();
  }

  @Test
  void rowsComeAsTheyLikeWhereAnOrderWouldBeASort() {
    assertThat(order("heap", "id", "v")).isEmpty();
    assertThat(order("keyless", "id", "v")).isEmpty();
    assertThat(order("other", "id", "v")).as("CDC knows rows by another index").isEmpty();
  }

  @Test
  void onlyAllRowsBetweenTwoKeysAreReadInOrder() {
    KeyRange byId = new KeyRange(List.of(ID), null, null);
    KeyRange byOther = new KeyRange(List.of(new KeyColumn("v", ID.type(), null)), null, null);
    SnapshotPart all = new SnapshotPart(List.of(), null, List.of(ID));

    assertThat(all.of(null).order()).isEqualTo(new KeyOrder(List.of(ID), null));
    assertThat(all.of(byId).order()).isEqualTo(new KeyOrder(List.of(ID), null));
    assertThat(all.of(byOther).order()).isNull();
    assertThat(new SnapshotPart(List.of(), 5, List.of(ID)).of(null).order()).isNull();
    ColumnFilter filter = new ColumnFilter(ID, ColumnFilter.Operator.IS_NOT_NULL, List.of());
    assertThat(new SnapshotPart(List.of(filter), null, List.of(ID)).of(null).order()).isNull();
    assertThat(new SnapshotPart(List.of(), null, List.of()).of(null)).isEqualTo(TablePart.WHOLE);
  }

  private static List<String> order(String table, String... columns) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_" + table);
    CapturedTable loaded =
        CaptureSet.load(TestClients.connect(SnapshotOptions.parse(options)), "dbo_" + table)
            .whole();
    return SnapshotKey.order(
            loaded.instance(), loaded.columns(), SelectColumn.plain(List.of(columns)))
        .stream()
        .map(KeyColumn::name)
        .toList();
  }

  /**
   * @param index column of a unique index that CDC is to know rows by; null: its own choice
   */
  private static void table(String name, String columns, @Nullable String index) {
    database.run("CREATE TABLE dbo." + name + " (" + columns + ")");
    if (index != null) {
      database.run("CREATE UNIQUE INDEX ux ON dbo." + name + " (" + index + ")");
    }
    database.run(
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
            + name
            + "', @role_name = NULL"
            + (index == null ? "" : ", @index_name = N'ux'"));
  }
}
