package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.type.SelectColumn;
import io.github.mssqlcdc.type.SelectForm;
import java.time.LocalDateTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StatementTextTest {
  private static final Lsn ONE = new Lsn(0, 1);
  private static final Lsn FIVE = new Lsn(0, 5);
  private static final ChangeTable EVIL =
      new ChangeTable(
          new CaptureInstance("o]'x", "s", "t", 1, 2, ONE, LocalDateTime.MIN, List.of()));

  static Stream<Batch> batches() {
    ChangePosition first = new ChangePosition(new Lsn(0, 2), 3, ONE, 4);
    ChangePosition last = new ChangePosition(FIVE, null, ONE, 1);
    return Stream.of(
        HeadSql.head(EVIL, ONE, HeadLimits.NONE),
        HeadSql.head(EVIL, ONE, new HeadLimits(FIVE, 10L, 100L)),
        ChangeSql.plan(EVIL, ONE, FIVE, new TileLimits(4, 10)),
        ChangeSql.range(
            EVIL, ChangeRange.commits(ONE, FIVE), SelectColumn.plain(List.of("a]b")), "0"),
        ChangeSql.range(
            EVIL,
            new ChangeRange(ONE, first, FIVE, last),
            SelectColumn.plain(List.of("a]b")),
            "0"));
  }

  @ParameterizedTest
  @MethodSource("batches")
  void everyMarkerHasItsValueAndNothingElseIsConcatenated(Batch batch) {
    assertThat(batch.sql().chars().filter(c -> c == '?').count()).isEqualTo(batch.values().size());
    assertThat(batch.sql()).doesNotContain("0x");
    assertThat(batch.sql().replace("[o]]'x_CT]", "")).doesNotContain("'");
  }

  @ParameterizedTest
  @MethodSource("batches")
  void maxLsnIsReadFirstUnderReadCommitted(Batch batch) {
    assertThat(batch.sql()).startsWith("SET TRANSACTION ISOLATION LEVEL READ COMMITTED;\n");
    assertThat(batch.sql().indexOf("sys.fn_cdc_get_max_lsn()"))
        .isPositive()
        .isLessThan(batch.sql().indexOf("[cdc].[o]]'x_CT]"));
  }

  @Test
  void aColumnIsAskedForInTheFormOfItsType() {
    List<SelectColumn> columns =
        List.of(
            new SelectColumn("id", SelectForm.COLUMN),
            new SelectColumn("doc", SelectForm.TEXT),
            new SelectColumn("node", SelectForm.CLR_TEXT),
            new SelectColumn("pla]ce", SelectForm.WELL_KNOWN_TEXT));

    assertThat(ChangeSql.range(EVIL, ChangeRange.commits(ONE, FIVE), columns, "0").sql())
        .contains(
            "m.[tran_end_time]\n, ct.[id], CAST(ct.[doc] AS nvarchar(max)),"
                + " CASE WHEN ct.[node] IS NOT NULL THEN ct.[node].ToString() END,"
                + " CASE WHEN ct.[pla]]ce] IS NOT NULL THEN ct.[pla]]ce].AsTextZM() END\nFROM");
    assertThat(SelectList.of("t", columns))
        .startsWith("t.[id], CAST(t.[doc] AS nvarchar(max)), CASE WHEN t.[node] IS NOT NULL");
  }

  @Test
  void aRangeOfWholeCommitsIsReadByItsLsnsAlone() {
    Batch batch =
        ChangeSql.range(
            EVIL, ChangeRange.commits(ONE, FIVE), SelectColumn.plain(List.of("id")), "0");

    assertThat(batch.values()).containsExactly(ONE, FIVE, "o]'x");
    assertThat(batch.sql())
        .contains("WHERE ct.[__$start_lsn] > @after AND ct.[__$start_lsn] <= @through\nORDER BY");
  }

  @Test
  void aRangeCutInsideCommitsIsReadInPartsThatAscend() {
    ChangePosition first = new ChangePosition(new Lsn(0, 2), 3, ONE, 4);
    ChangePosition last = new ChangePosition(FIVE, 7, ONE, 1);

    Batch batch =
        ChangeSql.range(
            EVIL, new ChangeRange(ONE, first, FIVE, last), SelectColumn.plain(List.of("id")), "0");

    assertThat(batch.values())
        .containsExactly(ONE, FIVE, new Lsn(0, 2), ONE, 4, 3, ONE, 1, 7, "o]'x");
    String table = "SELECT p, ct.[id] FROM t AS ct WHERE ";
    assertThat(
            batch
                .sql()
                .replace("[cdc].[o]]'x_CT]", "t")
                .replace("ct.[__$start_lsn]", "lsn")
                .replace("ct.[__$command_id]", "cmd")
                .replace("ct.[__$seqval]", "seq")
                .replace("ct.[__$operation]", "op")
                .replace("SELECT lsn, cmd, seq, op, ct.[id]", "SELECT p, ct.[id]"))
        .contains(
            ("SELECT lsn, cmd AS [__$command_id],\nseq, op, m.[tran_end_time]\n, ct.[id]\n"
                    + "FROM ($tlsn = @from_lsn AND cmd = @from_command AND seq >= @from_seqval"
                    + " AND (seq > @from_seqval OR op >= @from_operation)\n"
                    + "UNION ALL $tlsn = @from_lsn AND cmd > @from_command\n"
                    + "UNION ALL $tlsn > @from_lsn AND lsn < @through\n"
                    + "UNION ALL $tlsn = @through AND cmd IS NULL\n"
                    + "UNION ALL $tlsn = @through AND cmd < @before_command\n"
                    + "UNION ALL $tlsn = @through AND cmd = @before_command"
                    + " AND seq <= @before_seqval"
                    + " AND (seq < @before_seqval OR op < @before_operation)) AS ct\n"
                    + "LEFT JOIN [cdc].[lsn_time_mapping] AS m ON m.[start_lsn] = lsn\n"
                    + "ORDER BY lsn, cmd, seq, op;\n")
                .replace("$t", table));
  }

  @Test
  void aRangeInsideOneStatementIsOnePart() {
    ChangePosition first = new ChangePosition(FIVE, 3, ONE, 1);
    ChangePosition last = new ChangePosition(FIVE, 3, FIVE, 2);

    assertThat(
            ChangeSql.range(
                    EVIL, new ChangeRange(FIVE.previous(), first, FIVE, last), List.of(), "0")
                .sql())
        .contains(
            "WHERE ct.[__$start_lsn] = @through AND ct.[__$command_id] = @from_command"
                + " AND ct.[__$seqval] >= @from_seqval"
                + " AND (ct.[__$seqval] > @from_seqval OR ct.[__$operation] >= @from_operation)"
                + " AND ct.[__$seqval] <= @before_seqval"
                + " AND (ct.[__$seqval] < @before_seqval OR ct.[__$operation] < @before_operation)"
                + "\nORDER BY")
        .doesNotContain("UNION");
  }

  @Test
  void aPlanCountsThenReadsTheFirstRowOfEachTile() {
    Batch batch = ChangeSql.plan(EVIL, ONE, FIVE, new TileLimits(4, 50_000));

    assertThat(batch.values()).containsExactly(ONE, FIVE, 4L, 50_000L, "o]'x", "o]'x", 2);
    assertThat(batch.sql())
        .contains(
            "WHEN @rows / @floor < @tiles THEN @rows / @floor ELSE @tiles END;",
            "SELECT TOP (@tiles) t.start_lsn",
            "WHERE (t.place - 1) * @tiles % NULLIF(@rows, 0) < @tiles ORDER BY t.place;");
  }
}
