package io.github.mssqlcdc.source.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.SchemaChangedException;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.CapturedColumn.Trait;
import io.github.mssqlcdc.type.SqlType;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CaptureSetTest {
  private static final CapturedColumn ID = column("id", 1, 1, type("int", 0, 0));

  @Test
  void hasTheColumnsOfAllInstancesTheOldersFirst() {
    CapturedColumn name = column("name", 2, 2, type("nvarchar", 0, 0));
    CapturedColumn total = column("total", 3, 2, type("int", 0, 0));
    CaptureSet set = set(List.of(ID, name), List.of(ID, total));

    assertThat(set.columns())
        .extracting(CapturedColumn::name)
        .containsExactly("id", "name", "total");
    assertThat(set.columns())
        .extracting(CapturedColumn::isMissingSomewhere)
        .containsExactly(false, true, true);
    assertThat(set.columnsIn(set.tables().get(0).instance()))
        .extracting(CapturedColumn::isCaptured)
        .containsExactly(true, true, false);
    assertThat(set.columnsIn(set.tables().get(1).instance()))
        .as("by its own ordinals")
        .extracting(CapturedColumn::ordinal)
        .containsExactly(1, 2, 2);
  }

  @Test
  void refusesATypeThatDoesNotHoldTheOldersValues() {
    for (List<SqlType> types :
        List.of(
            List.of(type("decimal", 18, 2), type("decimal", 10, 2)),
            List.of(type("decimal", 9, 2), type("decimal", 9, 3)))) {
      CaptureSet set =
          set(
              List.of(ID, column("total", 2, 2, types.get(0))),
              List.of(ID, column("total", 2, 2, types.get(1))));

      assertThatThrownBy(set::columns)
          .isInstanceOf(SchemaChangedException.class)
          .hasMessageContaining("column 'total' of table dbo.orders")
          .hasMessageContaining("'v1' has it as DECIMAL(" + digits(types.get(0)))
          .hasMessageContaining("'v2' as DECIMAL(" + digits(types.get(1)));
    }
    assertThat(
            set(
                    List.of(column("total", 2, 1, type("decimal", 9, 2))),
                    List.of(column("total", 2, 1, type("decimal", 12, 4))))
                .columns())
        .extracting(CapturedColumn::type)
        .containsExactly(type("decimal", 12, 4));
  }

  @Test
  void aNameAddedAgainIsTheNewerColumn() {
    CapturedColumn gone =
        new CapturedColumn("name", 2, 2, type("nvarchar", 0, 0), null, Set.of(Trait.DROPPED));
    CapturedColumn again = column("Name", 5, 2, type("int", 0, 0));
    CaptureSet set = set(List.of(ID, gone), List.of(ID, again));

    assertThat(set.columns()).extracting(CapturedColumn::columnId).containsExactly(1, 5);
    assertThat(set.columnsIn(set.tables().get(0).instance()))
        .extracting(CapturedColumn::isCaptured)
        .containsExactly(true, false);
  }

  private static String digits(SqlType type) {
    return type.precision() + "," + type.scale() + ")";
  }

  private static CaptureSet set(List<CapturedColumn> older, List<CapturedColumn> newer) {
    CaptureInstance first = instance("v1", 1);
    return new CaptureSet(
        first,
        List.of(new CapturedTable(first, older), new CapturedTable(instance("v2", 2), newer)));
  }

  private static CaptureInstance instance(String name, int id) {
    return new CaptureInstance(
        name, "dbo", "orders", id, 9, null, LocalDateTime.of(2026, 11, id, 12, 0), List.of("id"));
  }

  private static CapturedColumn column(String name, int id, int ordinal, SqlType type) {
    return new CapturedColumn(name, id, ordinal, type);
  }

  private static SqlType type(String name, int precision, int scale) {
    return new SqlType(name, 0, precision, scale);
  }
}
