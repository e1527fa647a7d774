package io.github.mssqlcdc.source.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.delta.table.ColumnNames;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.source.row.RowLayout.Extra;
import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.CapturedColumn.Trait;
import io.github.mssqlcdc.type.ReadColumn;
import io.github.mssqlcdc.type.SelectColumn;
import io.github.mssqlcdc.type.SqlType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowLayoutTest {
  private static final List<CapturedColumn> CAPTURED =
      List.of(column(1, "id", "int", 0), column(2, "created at", "datetime2", 0));
  private static final List<CapturedColumn> DOCUMENTS =
      List.of(
          column(1, "id", "int", 0),
          column(2, "title", "nvarchar", 50),
          column(3, "Body", "nvarchar", SqlType.MAX),
          column(4, "scan", "image", 0),
          column(9, "thumb", "varbinary", 100));

  @Test
  void putsMetadataColumnsBeforeCapturedOnes() {
    assertThat(RowLayout.inferred(Set.of(Extra.COMMAND_ID), CAPTURED).toDDL())
        .isEqualTo(
            "_capture_instance STRING,_start_lsn STRING,_seqval STRING,_operation INT,"
                + "_command_id INT,_commit_ts TIMESTAMP_NTZ,id INT,created at TIMESTAMP_NTZ"
                    .replace("created at", "`created at`"));
  }

  @Test
  void leavesTheCommandIdOutAndAddsTheUpdateMaskOnRequest() {
    StructType schema = RowLayout.inferred(Set.of(Extra.UPDATE_MASK), CAPTURED);

    assertThat(schema.fieldNames())
        .containsExactly(
            "_capture_instance",
            "_start_lsn",
            "_seqval",
            "_operation",
            "_commit_ts",
            "_update_mask",
            "id",
            "created at");
    assertThat(RowLayout.of(schema, CAPTURED).selectedOfChanges())
        .extracting(SelectColumn::name)
        .containsExactly("__$update_mask", "id", "created at");
    assertThat(RowLayout.of(schema, CAPTURED).selected())
        .extracting(SelectColumn::name)
        .containsExactly("id", "created at");
  }

  @Test
  void hasUnknownColumnsWhereALargeOneIsRead() {
    assertThat(RowLayout.inferred(Set.of(Extra.UPDATE_MASK), DOCUMENTS).fieldNames())
        .containsSubsequence("_commit_ts", "_unknown_columns", "_update_mask", "id");
    assertThat(declared("id INT, BODY STRING").fieldNames())
        .containsSubsequence("_commit_ts", "_unknown_columns", "id", "BODY");
    assertThat(declared("scan BINARY").fieldNames()).contains("_unknown_columns");
    assertThat(declared("body TIMESTAMP").fieldNames()).contains("_unknown_columns");
    assertThat(declared("title STRING, thumb BINARY, nothing STRING").fieldNames())
        .doesNotContain("_unknown_columns");
  }

  @Test
  void takesAComputedColumnForNoLargeOne() {
    List<CapturedColumn> captured =
        List.of(
            column(1, "id", "int", 0),
            new CapturedColumn(
                "copy",
                2,
                2,
                new SqlType("nvarchar", SqlType.MAX, 0, 0),
                null,
                Set.of(CapturedColumn.Trait.COMPUTED)));

    assertThat(RowLayout.declared(Set.of(), "copy STRING", () -> captured).fieldNames())
        .doesNotContain("_unknown_columns");
    assertThat(RowLayout.of(StructType.fromDDL("copy STRING"), captured).large()).isEmpty();
  }

  @Test
  void takesTheNearerOfTwoNamesThatDifferInCase() {
    List<CapturedColumn> captured =
        List.of(column(1, "DOC", "nvarchar", SqlType.MAX), column(2, "doc", "nvarchar", 50));

    assertThat(RowLayout.declared(Set.of(), "doc STRING", () -> captured).fieldNames())
        .doesNotContain("_unknown_columns");
    assertThat(RowLayout.declared(Set.of(), "DOC STRING", () -> captured).fieldNames())
        .contains("_unknown_columns");
  }

  @Test
  void asksNobodyWhetherNumbersAndTimesAreLarge() {
    assertThat(
            RowLayout.declared(
                    Set.of(),
                    "id INT, price DECIMAL(10,2), at TIMESTAMP_NTZ, day DATE, is BOOLEAN",
                    () -> {
                      throw new AssertionError("asked");
                    })
                .fieldNames())
        .doesNotContain("_unknown_columns");
  }

  @Test
  void knowsTheOrdinalsOfLargeColumnsWhateverTheQuerysOrder() {
    StructType schema =
        StructType.fromDDL("scan BINARY, _unknown_columns ARRAY<STRING>, id INT, body STRING");

    RowLayout layout = RowLayout.of(schema, DOCUMENTS);

    assertThat(layout.large())
        .isEqualTo(Map.of(0, new LargeColumn(4, true), 2, new LargeColumn(3, false)));
    assertThat(layout.selected())
        .extracting(SelectColumn::name)
        .containsExactly("scan", "id", "Body");
    assertThat(layout.selectedOfChanges())
        .extracting(SelectColumn::name)
        .containsExactly("__$update_mask", "scan", "id", "Body");
  }

  @Test
  void readsTheMaskOnlyWhereItIsShownOrTellsOfALargeColumn() {
    assertThat(changeNames("scan BINARY")).containsExactly("scan");
    assertThat(changeNames("_unknown_columns ARRAY<STRING>, title STRING"))
        .containsExactly("title");
    assertThat(changeNames("_UPDATE_MASK BINARY, id INT")).containsExactly("__$update_mask", "id");
  }

  @Test
  void readsAProjectionInItsOwnOrder() {
    StructType schema = StructType.fromDDL("`created at` TIMESTAMP_NTZ, _operation INT, ID BIGINT");

    RowLayout layout = RowLayout.of(schema, CAPTURED);

    assertThat(layout.schema()).isEqualTo(schema);
    assertThat(layout.selected())
        .extracting(SelectColumn::name)
        .containsExactly("created at", "id");
  }

  @Test
  void readsNullOfTheTableWhereAColumnIsGone() {
    List<CapturedColumn> captured =
        List.of(
            new CapturedColumn("id", 1, 1, new SqlType("int", 0, 0, 0)),
            new CapturedColumn(
                "gone", 2, 2, new SqlType("int", 0, 0, 0), null, Set.of(Trait.DROPPED)));
    RowLayout changes = RowLayout.of(StructType.fromDDL("gone INT, id INT"), captured);

    assertThat(changes.selected()).extracting(SelectColumn::name).containsExactly("gone", "id");
    assertThat(changes.onTable(captured).selected())
        .extracting(SelectColumn::name)
        .containsExactly("id");
    assertThat(changes.onTable(captured).schema()).isEqualTo(changes.schema());
  }

  @Test
  void refusesAColumnThatIsNotCaptured() {
    assertThatThrownBy(() -> RowLayout.of(StructType.fromDDL("price INT"), CAPTURED))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("price")
        .hasMessageContaining("id, created at");
  }

  @Test
  void refusesATypeThatDoesNotHoldTheCapturedOne() {
    assertThatThrownBy(() -> RowLayout.of(StructType.fromDDL("id SMALLINT"), CAPTURED))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("SMALLINT")
        .hasMessageContaining("id");
  }

  @Test
  void refusesAMetadataColumnOfAnotherType() {
    assertThatThrownBy(() -> RowLayout.of(StructType.fromDDL("_operation STRING"), CAPTURED))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage("Invalid type STRING of column '_operation': it is INT");
    assertThatThrownBy(() -> RowLayout.of(StructType.fromDDL("_unknown_columns STRING"), CAPTURED))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage("Invalid type STRING of column '_unknown_columns': it is ARRAY<STRING>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "_capture_instance",
        "_START_LSN",
        "_seqval",
        "_Operation",
        "_command_id",
        "_commit_ts",
        "_unknown_columns",
        "_update_mask",
        "_batch_id",
        "_snapshot",
        "_chunk",
        "_History",
        ColumnNames.WORKING + "key"
      })
  void refusesACapturedColumnThatIsCalledLikeOneOfOurs(String name) {
    List<CapturedColumn> captured = List.of(column(1, name, "int", 0));

    assertThatThrownBy(() -> RowLayout.inferred(Set.of(), captured))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "Unsupported column name '"
                + name
                + "': the library's own column is called so. List the columns to read in option"
                + " 'columns' and leave it out");
    assertThatThrownBy(() -> RowLayout.declared(Set.of(), "_operation INT", () -> CAPTURED))
        .isInstanceOf(InvalidRequestException.class);
  }

  @Test
  void refusesTwoColumnsThatSparkTakesForOne() {
    List<CapturedColumn> captured =
        List.of(column(1, "Id", "int", 0), column(2, "ID", "bigint", 0));

    assertThatThrownBy(() -> RowLayout.inferred(Set.of(), captured))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "Unsupported columns 'Id' and 'ID': Spark takes both for one name. List the columns to"
                + " read in option 'columns', or in the schema given, with one of both by its"
                + " exact name");
    assertThatThrownBy(() -> declared("`ı` INT, i INT"))
        .hasMessageStartingWith("Unsupported columns 'ı' and 'i'");
    StructType one = declared("ID BIGINT");
    assertThat(RowLayout.of(one, captured).captured())
        .extracting(ReadColumn::name)
        .containsExactly("ID");
  }

  private static StructType declared(String ddl) {
    return RowLayout.declared(Set.of(), ddl, () -> DOCUMENTS);
  }

  private static List<String> changeNames(String ddl) {
    return RowLayout.of(StructType.fromDDL(ddl), DOCUMENTS).selectedOfChanges().stream()
        .map(SelectColumn::name)
        .toList();
  }

  private static CapturedColumn column(int ordinal, String name, String type, int length) {
    return new CapturedColumn(name, ordinal, ordinal, new SqlType(type, length, 0, 0));
  }
}
