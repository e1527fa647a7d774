package io.github.mssqlcdc.testkit.sqlserver.cdc;

import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.column;
import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.deleted;
import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.inserted;
import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.key;
import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.row;
import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.updated;
import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcSettings.CommandIds;
import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcSettings.UntouchedLob;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.ColumnInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ImagesTest {
  private static final int DOCS = 7;
  private static final DataType INT = DataType.of(SqlTypeName.INT);
  private static final ColumnInfo ID = column(1, "id", INT);

  private static CdcFixture table(CdcSettings settings, ColumnInfo... columns) {
    CdcFixture fixture = new CdcFixture(settings);
    fixture.table(DOCS, "docs", List.of(key("PK_docs", "id")), columns);
    return fixture.enable("docs");
  }

  private static CdcFixture documents(CdcSettings settings) {
    return table(
        settings,
        ID,
        column(2, "big", DataType.of(SqlTypeName.NVARCHAR, DataType.MAX)),
        column(3, "old", DataType.of(SqlTypeName.TEXT)),
        column(4, "x", DataType.of(SqlTypeName.XML)),
        column(5, "n", INT));
  }

  private static List<List<Object>> images(CdcFixture fixture) {
    fixture.cdc.capture();
    return fixture.changes("dbo_docs", "__$operation, __$update_mask, big, old, x, n");
  }

  @Test
  void maskIsCountedFromTheLastByte() {
    BitSet changed = new BitSet();
    changed.set(0);
    changed.set(9);
    assertThat(UpdateMask.of(10, changed).bytes()).containsExactly(0x02, 0x01);
    assertThat(UpdateMask.all(10).bytes()).containsExactly(0x03, 0xff);
    assertThat(UpdateMask.all(8).bytes()).containsExactly(0xff);
    assertThat(CdcFunctions.isBitSet(10, new byte[] {2, 1})).isTrue();
    assertThat(CdcFunctions.isBitSet(9, new byte[] {2, 1})).isFalse();
    assertThat(CdcFunctions.isBitSet(1, new byte[] {2, 1})).isTrue();
    assertThat(CdcFunctions.isBitSet(17, new byte[] {2, 1})).isFalse();
  }

  @Test
  void insertHoldsEveryLobAndDeleteAllButTextAndImage() {
    CdcFixture fixture = documents(CdcSettings.defaults());
    fixture.commit(inserted(DOCS, 1, 1, "big", "old", "<x/>", 5));
    fixture.commit(deleted(DOCS, 1, 1, "big", "old", "<x/>", 5));
    assertThat(images(fixture))
        .containsExactly(
            asList(2, "1f", "big", "old", "<x/>", 5), asList(1, "1f", "big", null, "<x/>", 5));
  }

  @Test
  void beforeImageHasNoUntouchedLobAndAfterImageHoldsItsValue() {
    CdcFixture fixture = documents(CdcSettings.defaults());
    fixture.commit(updated(DOCS, 1, row(1, "b", "o", "<x/>", 5), row(1, "b", "o", "<x/>", 6)));
    assertThat(images(fixture))
        .containsExactly(
            asList(3, "10", null, null, null, 5), asList(4, "10", "b", "o", "<x/>", 6));
  }

  @Test
  void afterImageHasNoUntouchedLobUnderTheOtherReading() {
    CdcFixture fixture = documents(CdcSettings.defaults().with(UntouchedLob.NULL));
    fixture.commit(updated(DOCS, 1, row(1, "b", "o", "<x/>", 5), row(1, "c", "o", "<x/>", 6)));
    assertThat(images(fixture))
        .containsExactly(asList(3, "12", "b", null, null, 5), asList(4, "12", "c", null, null, 6));
  }

  @Test
  void beforeImageHoldsTouchedMaxAndXmlButNeverText() {
    CdcFixture fixture = documents(CdcSettings.defaults());
    fixture.commit(updated(DOCS, 1, row(1, "b", "o", "<x/>", 5), row(1, "c", "p", "<y/>", 5)));
    assertThat(images(fixture))
        .containsExactly(
            asList(3, "0e", "b", null, "<x/>", 5), asList(4, "0e", "c", "p", "<y/>", 5));
  }

  @Test
  void computedColumnIsThereAndAlwaysNull() {
    CdcFixture fixture =
        table(CdcSettings.defaults(), ID, new ColumnInfo(2, "twice", INT, true, false, true));
    fixture.commit(inserted(DOCS, 1, 1, 2));
    fixture.commit(updated(DOCS, 1, row(1, 2), row(3, 6)));
    fixture.cdc.capture();
    assertThat(fixture.changes("dbo_docs", "id, twice"))
        .containsExactly(asList(1, null), asList(1, null), asList(3, null));
  }

  @Test
  void rowversionIsCapturedAsEightBytes() {
    CdcFixture fixture =
        table(CdcSettings.defaults(), ID, column(2, "v", DataType.of(SqlTypeName.ROWVERSION)));
    fixture.commit(inserted(DOCS, 1, 1, new byte[] {0, 0, 0, 0, 0, 0, 7, (byte) 0xd1}));
    fixture.cdc.capture();
    assertThat(fixture.changes("dbo_docs", "v")).containsExactly(List.of("00000000000007d1"));
    assertThat(ChangeTable.columns(fixture.store.tables.get(DOCS).columns(), CommandIds.COLUMN))
        .filteredOn(c -> c.name().equals("v"))
        .singleElement()
        .extracting(c -> c.type())
        .isEqualTo(DataType.of(SqlTypeName.BINARY, 8));
  }

  @Test
  void addedColumnIsIgnoredAndDroppedColumnIsNullFromThenOn() {
    CdcFixture fixture = table(CdcSettings.defaults(), ID, column(2, "n", INT));
    fixture.commit(inserted(DOCS, 1, 1, 10));
    ColumnInfo added = column(3, "m", INT);
    fixture.table(DOCS, "docs", List.of(key("PK_docs", "id")), ID, column(2, "n", INT), added);
    fixture.cdc.tableAltered(DOCS, "ALTER TABLE dbo.docs ADD m int", Map.of());
    fixture.commit(inserted(DOCS, 1, 2, 20, 200));
    fixture.table(DOCS, "docs", List.of(key("PK_docs", "id")), ID, added);
    fixture.cdc.tableAltered(DOCS, "ALTER TABLE dbo.docs DROP COLUMN n", Map.of());
    fixture.commit(inserted(DOCS, 1, 3, 300));
    fixture.cdc.capture();
    assertThat(fixture.changes("dbo_docs", "id, n"))
        .containsExactly(asList(1, 10), asList(2, 20), asList(3, null));
  }

  @Test
  void changeTableHasTheDocumentedColumnsWithCommandIdLastAndAllCapturedOnesNullable() {
    List<String> names = new ArrayList<>();
    List<Boolean> nullable = new ArrayList<>();
    ChangeTable.columns(List.of(ID), CommandIds.COLUMN)
        .forEach(
            c -> {
              names.add(c.name());
              nullable.add(c.nullable());
            });
    assertThat(names)
        .containsExactly(
            "__$start_lsn",
            "__$end_lsn",
            "__$seqval",
            "__$operation",
            "__$update_mask",
            "id",
            "__$command_id");
    assertThat(nullable).isEqualTo(Arrays.asList(false, true, false, false, true, true, true));
    assertThat(ChangeTable.clusteredKey(CommandIds.COLUMN))
        .containsExactly("__$start_lsn", "__$command_id", "__$seqval", "__$operation");
  }

  @Test
  void aChangeTableOfAnOldServerHasNoCommandIds() {
    CdcFixture fixture = table(CdcSettings.defaults().with(CommandIds.NO_COLUMN), ID);
    fixture.commit(inserted(DOCS, 1, 1));
    fixture.cdc.capture();

    assertThat(fixture.query("SELECT id FROM cdc.dbo_docs_CT")).hasSize(1);
    assertThat(ChangeTable.columns(List.of(ID), CommandIds.NO_COLUMN))
        .extracting(c -> c.name())
        .endsWith("__$update_mask", "id");
    assertThat(ChangeTable.clusteredKey(CommandIds.NO_COLUMN))
        .containsExactly("__$start_lsn", "__$seqval", "__$operation");
  }
}
