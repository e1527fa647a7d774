package io.github.mssqlcdc.source.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.source.row.RowLayout.Extra;
import io.github.mssqlcdc.type.Captured;
import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.SqlType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class RowLayoutTest {
  private static final List<CapturedColumn> CAPTURED = captured();

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
    assertThat(RowLayout.of(schema, CAPTURED).names())
        .containsExactly("__$update_mask", "id", "created at");
  }

  @Test
  void readsAProjectionInItsOwnOrder() {
    StructType schema = StructType.fromDDL("`created at` TIMESTAMP_NTZ, _operation INT, ID BIGINT");

    RowLayout layout = RowLayout.of(schema, CAPTURED);

    assertThat(layout.schema()).isEqualTo(schema);
    assertThat(layout.names()).containsExactly("created at", "id");
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
  }

  @Test
  void refusesACapturedColumnThatIsCalledLikeOneOfOurs() {
    List<CapturedColumn> captured =
        Captured.columns(Map.of("_History", new SqlType("int", 0, 0, 0)));

    assertThatThrownBy(() -> RowLayout.inferred(Set.of(), captured))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'_History'")
        .hasMessageContaining("'columns'");
    assertThatThrownBy(() -> RowLayout.declared(Set.of(), "_operation INT"))
        .isInstanceOf(InvalidRequestException.class);
  }

  private static List<CapturedColumn> captured() {
    Map<String, SqlType> captured = new LinkedHashMap<>();
    captured.put("id", new SqlType("int", 0, 0, 0));
    captured.put("created at", new SqlType("datetime2", 0, 0, 7));
    return Captured.columns(captured);
  }
}
