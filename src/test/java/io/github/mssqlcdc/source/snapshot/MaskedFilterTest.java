package io.github.mssqlcdc.source.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.source.row.CapturedTable;
import io.github.mssqlcdc.source.row.RowLayout;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.CapturedColumn.Trait;
import io.github.mssqlcdc.type.SqlType;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class MaskedFilterTest {

  @Test
  void aConditionOnAMaskedColumnIsSparks() {
    Predicate condition =
        new Predicate("=", new Expression[] {Expressions.column("k"), Expressions.literal(5)});

    assertThat(filters(column()).translate(condition)).isPresent();
    assertThat(filters(column(Trait.MASKED)).translate(condition)).isEmpty();
  }

  private static PushedFilters filters(CapturedColumn column) {
    CapturedTable table = table(column);
    return new PushedFilters(table, RowLayout.of(StructType.fromDDL("k INT"), table.columns()));
  }

  private static CapturedTable table(CapturedColumn column) {
    return new CapturedTable(
        new CaptureInstance(
            "dbo_t", "dbo", "t", 1, 2, null, LocalDateTime.MIN, List.of(column.name())),
        List.of(column));
  }

  private static CapturedColumn column(Trait... traits) {
    return new CapturedColumn("k", 1, 1, new SqlType("int", 0, 0, 0), null, Set.of(traits));
  }
}
