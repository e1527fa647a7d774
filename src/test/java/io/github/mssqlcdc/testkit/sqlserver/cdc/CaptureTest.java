package io.github.mssqlcdc.testkit.sqlserver.cdc;

import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.ORDERS;
import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.deleted;
import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.inserted;
import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.key;
import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.row;
import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.updated;
import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcSettings.DeferredUpdates;
import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcSettings.MultiRowUpdate;
import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcSettings.UnchangedUpdates;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.UniqueIndex;
import java.util.List;
import org.junit.jupiter.api.Test;

class CaptureTest {
  private static final String ROW = "__$command_id, __$operation, __$update_mask, id, name";

  private static CdcFixture orders() {
    return new CdcFixture().enable("orders");
  }

  @Test
  void nothingIsInTheChangeTableBeforeCaptureRuns() {
    CdcFixture fixture = orders();
    fixture.commit(inserted(ORDERS, 1, 1, "a"));
    assertThat(fixture.changes("dbo_orders", ROW)).isEmpty();
    fixture.cdc.capture();
    assertThat(fixture.changes("dbo_orders", ROW)).containsExactly(asList(1, 2, "03", 1, "a"));
  }

  @Test
  void allRowsOfATransactionShareItsCommitLsnAndTransactionsFollowCommitOrder() {
    CdcFixture fixture = orders();
    fixture.commit(inserted(ORDERS, 1, 1, "a"), inserted(ORDERS, 2, 2, "b"));
    fixture.commit(inserted(ORDERS, 1, 3, "c"));
    fixture.cdc.capture();
    List<List<Object>> lsns = fixture.changes("dbo_orders", "__$start_lsn, id");
    assertThat(lsns).extracting(r -> r.get(1)).containsExactly(1, 2, 3);
    assertThat(lsns.get(0).get(0)).isEqualTo(lsns.get(1).get(0));
    assertThat((String) lsns.get(2).get(0)).isGreaterThan((String) lsns.get(1).get(0));
  }

  @Test
  void commandIdsFollowTheOrderInsideTheTransaction() {
    CdcFixture fixture = orders();
    fixture.commit(
        inserted(ORDERS, 1, 1, "a"),
        updated(ORDERS, 2, row(1, "a"), row(1, "b")),
        deleted(ORDERS, 3, 1, "b"));
    fixture.cdc.capture();
    assertThat(fixture.changes("dbo_orders", ROW))
        .containsExactly(
            asList(1, 2, "03", 1, "a"),
            asList(2, 3, "02", 1, "a"),
            asList(2, 4, "02", 1, "b"),
            asList(3, 1, "03", 1, "b"));
  }

  @Test
  void beforeAndAfterImageShareSequenceValueAndCommandId() {
    CdcFixture fixture = orders();
    fixture.commit(updated(ORDERS, 1, row(1, "a"), row(1, "b")));
    fixture.cdc.capture();
    assertThat(fixture.query("SELECT DISTINCT __$seqval, __$command_id FROM cdc.dbo_orders_CT"))
        .hasSize(1);
  }

  @Test
  void keyUpdateOfOneRowIsADeleteAndAnInsertAtOneSequenceValue() {
    CdcFixture fixture = orders();
    fixture.commit(updated(ORDERS, 1, row(1, "a"), row(9, "a")));
    fixture.cdc.capture();
    assertThat(fixture.changes("dbo_orders", ROW))
        .containsExactly(asList(1, 1, "03", 1, "a"), asList(2, 2, "03", 9, "a"));
    assertThat(fixture.query("SELECT DISTINCT __$seqval FROM cdc.dbo_orders_CT")).hasSize(1);
  }

  @Test
  void keyUpdateOfManyRowsDeletesAllBeforeItInsertsAnyEachAtItsOwnSequenceValue() {
    CdcFixture fixture = orders();
    fixture.commit(
        updated(ORDERS, 1, row(1, "a"), row(2, "a")), updated(ORDERS, 1, row(2, "b"), row(3, "b")));
    fixture.cdc.capture();
    assertThat(fixture.changes("dbo_orders", "__$operation, id"))
        .containsExactly(asList(1, 1), asList(1, 2), asList(2, 2), asList(2, 3));
    assertThat(fixture.query("SELECT DISTINCT __$seqval FROM cdc.dbo_orders_CT")).hasSize(4);
  }

  @Test
  void updateOfAnotherUniqueColumnIsSplitTooUnlessSwitchedOff() {
    assertThat(operationsOfUniqueUpdate(DeferredUpdates.ANY_UNIQUE_INDEX)).containsExactly(1, 2);
    assertThat(operationsOfUniqueUpdate(DeferredUpdates.PRIMARY_KEY)).containsExactly(3, 4);
  }

  private static List<Object> operationsOfUniqueUpdate(DeferredUpdates reading) {
    CdcFixture fixture = new CdcFixture(CdcSettings.defaults().with(reading));
    fixture.table(
        2,
        "users",
        List.of(key("PK_users", "id"), new UniqueIndex("UX_users", false, List.of("email"))),
        CdcFixture.column(1, "id", DataType.of(SqlTypeName.INT)),
        CdcFixture.column(2, "email", DataType.of(SqlTypeName.NVARCHAR, 50)));
    fixture.enable("users");
    fixture.commit(updated(2, 1, row(1, "a"), row(1, "b")));
    fixture.cdc.capture();
    return fixture.changes("dbo_users", "__$operation").stream().map(r -> r.get(0)).toList();
  }

  @Test
  void updateOfManyRowsRepeatsItsCommandIdUnlessSwitchedOff() {
    assertThat(commandIdsOfMultiRowUpdate(MultiRowUpdate.ONE_COMMAND_ID))
        .containsExactly(1, 1, 1, 1);
    assertThat(commandIdsOfMultiRowUpdate(MultiRowUpdate.COMMAND_ID_PER_ROW))
        .containsExactly(1, 1, 2, 2);
  }

  private static List<Object> commandIdsOfMultiRowUpdate(MultiRowUpdate reading) {
    CdcFixture fixture = new CdcFixture(CdcSettings.defaults().with(reading)).enable("orders");
    fixture.commit(
        updated(ORDERS, 1, row(1, "a"), row(1, "x")), updated(ORDERS, 1, row(2, "b"), row(2, "x")));
    fixture.cdc.capture();
    assertThat(fixture.changes("dbo_orders", "id, __$operation"))
        .containsExactly(asList(1, 3), asList(1, 4), asList(2, 3), asList(2, 4));
    return fixture.changes("dbo_orders", "__$command_id").stream().map(r -> r.get(0)).toList();
  }

  @Test
  void updateThatChangesNothingCapturedLeavesNoRowsUnlessSwitchedOn() {
    assertThat(rowsOfUnchangedUpdate(UnchangedUpdates.NO_ROWS)).isEmpty();
    assertThat(rowsOfUnchangedUpdate(UnchangedUpdates.ROWS))
        .containsExactly(asList(3, "00"), asList(4, "00"));
  }

  private static List<List<Object>> rowsOfUnchangedUpdate(UnchangedUpdates reading) {
    CdcFixture fixture = new CdcFixture(CdcSettings.defaults().with(reading)).enable("orders");
    fixture.commit(updated(ORDERS, 1, row(1, "a"), row(1, "a")));
    fixture.cdc.capture();
    return fixture.changes("dbo_orders", "__$operation, __$update_mask");
  }

  @Test
  void twoInstancesOfATableHoldTheSameChangeUnderDifferentCommandIds() {
    CdcFixture fixture = orders().enable("orders", "@capture_instance", "orders2");
    fixture.commit(inserted(ORDERS, 1, 1, "a"), inserted(ORDERS, 1, 2, "b"));
    fixture.cdc.capture();
    String position = "__$start_lsn, __$seqval, id";
    assertThat(fixture.changes("orders2", position))
        .isEqualTo(fixture.changes("dbo_orders", position))
        .hasSize(2);
    assertThat(fixture.changes("dbo_orders", "__$command_id"))
        .containsExactly(List.of(1), List.of(3));
    assertThat(fixture.changes("orders2", "__$command_id")).containsExactly(List.of(2), List.of(4));
  }

  @Test
  void secondInstanceHoldsOnlyWhatWasCommittedAfterItsCreation() {
    CdcFixture fixture = orders();
    fixture.commit(inserted(ORDERS, 1, 1, "a"));
    fixture.enableUnseen("orders", "@capture_instance", "orders2");
    fixture.commit(inserted(ORDERS, 1, 2, "b"));
    fixture.cdc.capture();
    assertThat(fixture.changes("dbo_orders", "id")).containsExactly(List.of(1), List.of(2));
    assertThat(fixture.changes("orders2", "id")).containsExactly(List.of(2));
  }

  @Test
  void commitsOnUntrackedTablesLeaveNoTrace() {
    CdcFixture fixture = orders();
    fixture.table(2, "other", List.of(), CdcFixture.column(1, "id", DataType.of(SqlTypeName.INT)));
    String before = CdcFixture.hex(fixture.cdc.functions().maxLsn());
    fixture.commit(inserted(2, 1, 1));
    fixture.cdc.capture();
    assertThat(CdcFixture.hex(fixture.cdc.functions().maxLsn())).isEqualTo(before);
  }

  @Test
  void singleScanTakesWholeTransactionsOldestFirst() {
    CdcFixture fixture = orders();
    fixture.commit(inserted(ORDERS, 1, 1, "a"), inserted(ORDERS, 1, 2, "b"));
    fixture.commit(inserted(ORDERS, 1, 3, "c"));
    assertThat(fixture.cdc.capture(1)).isEqualTo(1);
    assertThat(fixture.changes("dbo_orders", "id")).containsExactly(List.of(1), List.of(2));
    assertThat(fixture.cdc.capture(5)).isEqualTo(1);
    assertThat(fixture.cdc.capture(5)).isZero();
  }

  @Test
  void capturePassesThroughAllThatWaitsHoweverManyScansItTakes() {
    CdcFixture fixture = orders();
    for (int i = 0; i < 1100; i++) {
      fixture.commit(inserted(ORDERS, 1, i, "x"));
    }
    fixture.cdc.capture();
    assertThat(fixture.query("SELECT COUNT(*) FROM cdc.dbo_orders_CT"))
        .containsExactly(List.of(1100L));
  }
}
