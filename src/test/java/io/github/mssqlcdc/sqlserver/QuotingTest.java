package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.tsql.TSql;
import io.github.mssqlcdc.type.SelectColumn;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.StringLength;

class QuotingTest {
  @Example
  void aClosingBracketIsDoubled() {
    assertThat(Quoting.name("a]; DROP TABLE x--")).isEqualTo("[a]]; DROP TABLE x--]");
    assertThat(Quoting.name("dbo", "order items")).isEqualTo("[dbo].[order items]");
    assertThat(SelectList.of("t", SelectColumn.plain(List.of("id", "a]b"))))
        .isEqualTo("t.[id], t.[a]]b]");
  }

  @Example
  void aListIsReadWithAndWithoutBrackets() {
    assertThat(Quoting.parseList("[id], [a, b], [c]]d]")).containsExactly("id", "a, b", "c]d");
    assertThat(Quoting.parseList("id, line_no")).containsExactly("id", "line_no");
    assertThat(Quoting.parseList("")).isEmpty();
  }

  @Property
  void aListLeadsBack(@ForAll @NotEmpty List<@NotEmpty String> names) {
    String list = names.stream().map(Quoting::name).collect(Collectors.joining(", "));

    assertThat(Quoting.parseList(list)).isEqualTo(names);
  }

  /** Read by another parser of T-SQL than ours: the stand-in's. */
  @Property
  void aQuotedNameIsOneNameWhateverItHolds(
      @ForAll @NotEmpty @StringLength(max = 128) String schema,
      @ForAll @NotEmpty @StringLength(max = 128) String name)
      throws SqlServerError {
    assertThat(TSql.parseName(Quoting.name(schema, name))).containsExactly(schema, name);
  }

  @Property
  void aNameOfTSqlsOwnSignsLeadsBack(
      @ForAll @NotEmpty
          List<
                  @NotEmpty @StringLength(max = 128)
                  @Chars({'[', ']', ',', ' ', '"', '\'', '.', 'a'}) String>
              names)
      throws SqlServerError {
    String list = names.stream().map(Quoting::name).collect(Collectors.joining(", "));

    assertThat(Quoting.parseList(list)).isEqualTo(names);
    for (String name : names) {
      assertThat(TSql.parseName(Quoting.name(name))).containsExactly(name);
    }
  }
}
