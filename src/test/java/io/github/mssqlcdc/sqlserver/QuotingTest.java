package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.type.SelectColumn;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotEmpty;

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
}
