package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.type.SelectColumn;
import java.time.LocalDateTime;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotEmpty;

/** A statement is the same text for any names, but for the names in their brackets. */
class StatementNamesProperties {
  private static final Lsn ONE = new Lsn(0, 1);
  private static final Lsn FIVE = new Lsn(0, 5);

  @Property
  void namesStayInTheirBrackets(
      @ForAll @NotEmpty String instance, @ForAll @NotEmpty String column) {
    Assume.that(!instance.equals(column) && !column.equals(instance + "_CT"));
    List<String> plain = texts("i", "c");
    List<String> hostile = texts(instance, column);

    for (int i = 0; i < plain.size(); i++) {
      assertThat(neutral(hostile.get(i), instance, column))
          .isEqualTo(neutral(plain.get(i), "i", "c"));
    }
  }

  private static List<String> texts(String instance, String column) {
    CaptureInstance captured =
        new CaptureInstance(instance, "s", "t", 1, 2, ONE, LocalDateTime.MIN, List.of());
    ChangeTable table = new ChangeTable(captured);
    List<SelectColumn> columns = SelectColumn.plain(List.of(column));
    ChangePosition cut = new ChangePosition(FIVE, 3, ONE, 4);
    return Stream.of(
            HeadSql.head(table, ONE, new HeadLimits(FIVE, 10L, 100L)),
            ChangeSql.plan(table, ONE, FIVE, new TileLimits(4, 10)),
            ChangeSql.range(table, new ChangeRange(FIVE.previous(), cut, FIVE, cut), columns, "0"),
            ColumnCatalog.batch(captured))
        .map(Batch::sql)
        .toList();
  }

  private static String neutral(String sql, String instance, String column) {
    return sql.replace("[cdc]." + Quoting.name(instance + "_CT"), "TABLE")
        .replace("ct." + Quoting.name(column), "COLUMN");
  }
}
