package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import java.time.LocalDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CapturedTablesTest {

  private static CaptureInstance instance(String name, String schema, String table) {
    return new CaptureInstance(
        name, schema, table, 1, 2, null, LocalDateTime.of(2026, 1, 1, 0, 0), List.of("id"));
  }

  @Test
  void aPatternIsForSchemaAndTableAndFindsEachTableOnceUnderItsDefaultName() {
    List<CaptureInstance> instances =
        List.of(
            instance("dbo_orders_2", "dbo", "orders"),
            instance("dbo_orders", "dbo", "orders"),
            instance("of_customers", "dbo", "Customers"),
            instance("sales_orders", "sales", "orders"),
            instance("dbo_o.lines", "dbo", "o.lines"));

    assertThat(CapturedTables.matching("dbo.*", instances))
        .containsExactly("dbo_Customers", "dbo_o.lines", "dbo_orders");
    assertThat(CapturedTables.matching("*.ORDERS", instances))
        .containsExactly("dbo_orders", "sales_orders");
    assertThat(CapturedTables.matching("dbo.order?", instances)).containsExactly("dbo_orders");
    assertThat(CapturedTables.matching("dbo.o.lines", instances)).containsExactly("dbo_o.lines");
  }

  @Test
  void aPatternThatMatchesNothingIsToldWithTheTablesThatThereAre() {
    assertThatThrownBy(
            () -> CapturedTables.matching("dbo.x*", List.of(instance("dbo_a", "dbo", "a"))))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "Unknown tables 'dbo.x*': none of the captured tables that the login may see matches."
                + " They are dbo.a; the pattern is for schema.table, * is any text");
    assertThatThrownBy(() -> CapturedTables.matching("*", List.of()))
        .hasMessageContaining("They are none");
  }

  @Test
  void aNameThatMayBeOfTwoTablesIsRefused() {
    assertThatThrownBy(
            () ->
                CapturedTables.matching(
                    "*", List.of(instance("x", "a_b", "c"), instance("y", "a", "b_c"))))
        .hasMessageStartingWith("Ambiguous name 'a_b_c': it may be of the tables a.b_c and a_b.c");
    assertThatThrownBy(
            () ->
                CapturedTables.matching(
                    "dbo.a", List.of(instance("x", "dbo", "a"), instance("dbo_a", "dbo", "b"))))
        .hasMessageStartingWith("Ambiguous name 'dbo_a': it may be of the tables dbo.a and dbo.b");
  }
}
