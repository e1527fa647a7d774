package io.github.mssqlcdc.testkit.sqlserver.cdc;

import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.ORDERS;
import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.inserted;
import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.row;
import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.updated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.SessionContext;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AllChangesTest {
  private final CdcFixture fixture = new CdcFixture();

  @BeforeEach
  void anInsertAndAnUpdate() {
    fixture.enable("orders");
    fixture.commit(inserted(ORDERS, 1, 1, "a"));
    fixture.commit(updated(ORDERS, 1, row(1, "a"), row(1, "b")));
    fixture.cdc.capture();
  }

  private byte[] min() {
    return fixture.cdc.functions().minLsn(fixture.admin(), "dbo_orders");
  }

  private byte[] max() {
    return fixture.cdc.functions().maxLsn();
  }

  private List<Object> operations(byte[] from, byte[] to, String option) throws SqlServerError {
    String sql =
        fixture.cdc.functions().allChanges(fixture.admin(), "dbo_orders", from, to, option);
    return fixture.query(sql + " ORDER BY 1, 3").stream().map(r -> r.get(2)).toList();
  }

  private SqlServerError error(
      SessionContext session, byte @Nullable [] from, byte[] to, String option) {
    return catchThrowableOfType(
        SqlServerError.class,
        () -> fixture.cdc.functions().allChanges(session, "dbo_orders", from, to, option));
  }

  @Test
  void bothEndsAreInsideAndBeforeImagesComeOnRequest() throws SqlServerError {
    assertThat(operations(min(), max(), "all")).containsExactly(2, 4);
    assertThat(operations(min(), max(), " All update old ")).containsExactly(2, 3, 4);
    assertThat(operations(max(), max(), "all")).containsExactly(4);
  }

  @Test
  void rangeOutsideOfTheInstanceIs313() {
    byte[] below = CdcFunctions.decrement(min());
    byte[] above = CdcFunctions.increment(max());
    for (SqlServerError error :
        List.of(
            error(fixture.admin(), below, max(), "all"),
            error(fixture.admin(), min(), above, "all"),
            error(fixture.admin(), max(), min(), "all"),
            error(fixture.admin(), null, max(), "all"),
            error(fixture.admin(), min(), max(), "some"))) {
      assertThat(List.of(error.number(), error.severity(), error.state()))
          .containsExactly(313, 16, 3);
      assertThat(error).hasMessageEndingWith("cdc.fn_cdc_get_all_changes_ ... .");
    }
  }

  @Test
  void callerWithoutAccessGets229() {
    SqlServerError error = error(Caller.user(fixture.store), min(), max(), "all");
    assertThat(List.of(error.number(), error.severity(), error.state()))
        .containsExactly(229, 14, 5);
    assertThat(error).hasMessageContaining("'fn_cdc_get_all_changes_...', database 'shop'");
  }

  @Test
  void unknownInstanceHasNoFunction() {
    SqlServerError error =
        catchThrowableOfType(
            SqlServerError.class,
            () -> fixture.cdc.functions().allChanges(fixture.admin(), "nix", min(), max(), "all"));
    assertThat(error.number()).isEqualTo(208);
    assertThat(error).hasMessage("Invalid object name 'cdc.fn_cdc_get_all_changes_nix'.");
  }
}
