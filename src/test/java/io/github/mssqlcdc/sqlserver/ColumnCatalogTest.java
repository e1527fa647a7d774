package io.github.mssqlcdc.sqlserver;

import static io.github.mssqlcdc.sqlserver.ScriptedServer.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.CapturedColumn.Trait;
import io.github.mssqlcdc.type.SqlType;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Captured columns from answers that the stand-in can't give. */
class ColumnCatalogTest {
  private static final DataType TEXT = DataType.of(SqlTypeName.NVARCHAR, 128);
  private static final DataType INT = DataType.of(SqlTypeName.INT);
  private static final DataType BIT = DataType.of(SqlTypeName.BIT);
  private static final List<DataType> CAPTURED =
      List.of(TEXT, TEXT, TEXT, TEXT, INT, INT, TEXT, INT, INT, INT, INT, INT);
  private static final List<DataType> ON_TABLE =
      List.of(INT, TEXT, TEXT, INT, INT, INT, TEXT, BIT, INT, BIT, BIT, INT, BIT);
  private static final CaptureInstance ORDERS =
      new CaptureInstance("dbo_orders", "dbo", "orders", 1, 2, null, LocalDateTime.MIN, List.of());

  private final ScriptedServer server = new ScriptedServer();
  private final List<@Nullable Object[]> captured = new ArrayList<>();
  private final List<@Nullable Object[]> onTable = new ArrayList<>();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void columnsComeByOrdinalWhateverTheOrderOfTheAnswer() {
    captured(3, "created at", 2, "datetime2", 7);
    captured(1, "id", 1, "int", 0);
    onTable(1, "id", "int", 4, null, false);
    onTable(3, "Created AT", "datetime2", 8, null, false);

    assertThat(columns()).extracting(CapturedColumn::name).containsExactly("id", "created at");
    assertThat(server.requests).hasSize(1);
  }

  @Test
  void theConnectionIsGivenBack() {
    captured(1, "id", 1, "int", 0);
    onTable(1, "id", "int", 4, null, false);
    SqlServer client = client();

    assertThat(client.capturedColumns(ORDERS)).isEqualTo(client.capturedColumns(ORDERS));
    assertThat(server.logins).hasValue(1);
  }

  @Test
  void aColumnOfTheSameIdAndAnotherNameIsAnotherColumn() {
    captured(1, "id", 1, "int", 0);
    onTable(1, "identity", "int", 4, null, false);

    assertThat(columns()).extracting(CapturedColumn::isOnTable).containsExactly(false);
  }

  @Test
  void encryptedAndMaskedColumnsAreKnown() {
    captured(1, "ssn", 1, "varchar", 0);
    captured(2, "mail", 2, "varchar", 0);
    onTable(1, "ssn", "varchar", 11, 2, false);
    onTable(2, "mail", "varchar", 50, null, true);

    assertThat(columns())
        .extracting(CapturedColumn::traits)
        .containsExactly(java.util.Set.of(Trait.ENCRYPTED), java.util.Set.of(Trait.MASKED));
  }

  @Test
  void aTypeOfWhichTheCatalogueTellsNothingIsTheProceduresOwn() {
    captured(1, "shape", 1, "my_clr_type", 0);
    onTable(1, "shape", null, -1, null, false);

    assertThat(columns())
        .extracting(CapturedColumn::type)
        .containsExactly(new SqlType("my_clr_type", 0, 0, 0));
  }

  /** As documented: of each of these the catalogue tells the length -1, a vector's in bytes. */
  @Test
  void valuesThatMayBeStoredOutsideTheirRowAreLargeWhetherTheColumnIsStillThereOrNot() {
    List<String> names = List.of("json", "geometry", "geography", "xml", "text", "ntext", "image");
    for (int i = 0; i < names.size(); i++) {
      captured(10 + i, "here_" + names.get(i), 10 + i, names.get(i), 0);
      captured(20 + i, "gone_" + names.get(i), 20 + i, names.get(i), 0);
      onTable(10 + i, "here_" + names.get(i), names.get(i), i < 4 ? -1 : 16, null, false);
    }
    assertThat(columns()).hasSize(14).allMatch(column -> column.type().isLarge());

    captured.clear();
    onTable.clear();
    captured(1, "v", 1, "vector", 0);
    captured(2, "h", 2, "hierarchyid", 0);
    captured(3, "s", 3, "sql_variant", 0);
    onTable(1, "v", "vector", 7_992, null, false);
    onTable(2, "h", "hierarchyid", 892, null, false);
    onTable(3, "s", "sql_variant", 8_016, null, false);
    assertThat(columns()).hasSize(3).noneMatch(column -> column.type().isLarge());
  }

  @Test
  void aClusteredKeyThatIsInOrderIsKnown() {
    indexed(1, "b", 2, false);
    indexed(2, "a", 1, false);
    assertThat(columns(key("a", "b"))).allMatch(CapturedColumn::isClustered);
    assertThat(columns(key("b", "a"))).noneMatch(CapturedColumn::isClustered);
    assertThat(columns(key("a"))).noneMatch(CapturedColumn::isClustered);
    assertThat(columns(ORDERS)).noneMatch(CapturedColumn::isClustered);
  }

  @Test
  void oneThatDescendsIsNullableOrPartitionedIsNone() {
    indexed(1, "a", 1, false);
    indexed(2, "b", 2, true);
    assertThat(columns(key("a", "b"))).noneMatch(CapturedColumn::isClustered);
  }

  @Test
  void aTableWithoutVisibleColumnsIsAnErrorAndNotATableWithoutColumns() {
    captured(1, "id", 1, "int", 0);

    assertThatThrownBy(this::columns)
        .isInstanceOf(CdcException.class)
        .hasMessageStartingWith(
            "Cannot see the columns of dbo.orders (capture instance dbo_orders) in sys.columns")
        .hasMessageContaining("VIEW DEFINITION");
  }

  private void captured(int id, String name, int ordinal, String type, int fraction) {
    captured.add(
        new @Nullable Object[] {
          "dbo", "orders", "dbo_orders", name, id, ordinal, type, null, null, null, null, fraction
        });
  }

  private void onTable(
      int id,
      String name,
      @Nullable String type,
      int length,
      @Nullable Integer encryption,
      boolean masked) {
    onTable.add(
        new @Nullable Object[] {
          id, name, type, length, 0, 7, null, false, encryption, masked, false, null, false
        });
  }

  private void indexed(int id, String name, int place, boolean isOutOfOrder) {
    captured(id, name, id, "int", 0);
    onTable.add(
        new @Nullable Object[] {
          id, name, "int", 4, 0, 7, null, false, null, false, false, place, isOutOfOrder
        });
  }

  private static CaptureInstance key(String... columns) {
    return new CaptureInstance(
        "dbo_orders", "dbo", "orders", 1, 2, null, LocalDateTime.MIN, List.of(columns));
  }

  private List<CapturedColumn> columns() {
    return columns(ORDERS);
  }

  private List<CapturedColumn> columns(CaptureInstance instance) {
    return client().capturedColumns(instance);
  }

  private SqlServer client() {
    server.on(
        "sp_cdc_get_captured_columns", rows(CAPTURED, captured).then(rows(ON_TABLE, onTable)));
    return SqlServers.connect(
        StreamOptions.parse(
                Map.of(
                    "url", server.url(),
                    "user", "reader",
                    "password", "geheim",
                    "captureInstance", "dbo_orders"))
            .source(),
        Duration.ZERO);
  }
}
