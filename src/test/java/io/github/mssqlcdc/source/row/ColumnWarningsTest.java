package io.github.mssqlcdc.source.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.CapturedColumn.Trait;
import io.github.mssqlcdc.type.SqlType;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ColumnWarningsTest {
  private static final CapturedTable TABLE =
      new CapturedTable(
          new CaptureInstance(
              "dbo_orders", "dbo", "orders", 1, 2, null, LocalDateTime.MIN, List.of()),
          List.of(
              column("id"),
              column("twice", Trait.COMPUTED),
              column("Sum", Trait.COMPUTED),
              column("mail", Trait.MASKED),
              column("όνομα", Trait.OTHER_CODE_PAGE)));

  @Test
  void eachKindOfColumnIsToldOfInOneSentence() {
    assertThat(ColumnWarnings.of(TABLE, null))
        .containsExactly(
            "dbo.orders (capture instance dbo_orders): capture records no values of computed"
                + " columns (twice, Sum): they are left out, or read NULL where option 'columns'"
                + " lists them",
            "dbo.orders (capture instance dbo_orders): columns under dynamic data masking (mail)"
                + " read as masked values unless the login has UNMASK",
            "dbo.orders (capture instance dbo_orders): columns of char, varchar or text in another"
                + " code page than the database's (όνομα): SQL Server may capture their non-ASCII"
                + " characters wrongly; make them nvarchar, or give them a collation of the"
                + " database's code page");
  }

  @Test
  void onlyColumnsThatAreListedAreToldOf() {
    assertThat(ColumnWarnings.of(TABLE, "id INT, SUM INT"))
        .singleElement()
        .asString()
        .contains("columns (Sum)");
    assertThat(ColumnWarnings.of(TABLE, "id INT")).isEmpty();
  }

  @Test
  void aChangeTableWithoutCommandIdsIsToldOfToWhoReadsChanges() {
    CapturedTable old =
        new CapturedTable(
            new CaptureInstance(
                "dbo_orders", "dbo", "orders", 1, 2, null, LocalDateTime.MIN, List.of(), false),
            List.of(column("id")));

    assertThat(ColumnWarnings.of(old, null)).isEmpty();
    try (CapturedLog log = CapturedLog.of(ColumnWarnings.class)) {
      assertThat(ColumnWarnings.logOfChanges(old, null))
          .containsExactly(
              "dbo.orders (capture instance dbo_orders): its change table has no __$command_id."
                  + " Changes of one commit are ordered by __$seqval, in which SQL Server may put"
                  + " an insert before the delete of the same key; install the server's update that"
                  + " brings the column")
          .isEqualTo(log.warnings());
    }
  }

  @Test
  void columnsThatAreNotListedAreToldOfToWhoReadsChanges() {
    assertThat(ColumnWarnings.logOfChanges(TABLE, "ID INT, mail STRING"))
        .last()
        .isEqualTo(
            "dbo.orders (capture instance dbo_orders): captured columns that option 'columns'"
                + " doesn't list (twice, Sum, όνομα) are not read");
  }

  private static CapturedColumn column(String name, Trait... traits) {
    return new CapturedColumn(name, 1, 1, new SqlType("int", 0, 0, 0), null, Set.of(traits));
  }
}
