package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.Lsn;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DdlEntryTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ALTER TABLE dbo.t ADD total int | total | true",
        "alter table t add a int, [To]]tal] int | To]tal | true",
        "ALTER TABLE t ADD TOTAL int | total | true",
        "ALTER TABLE t ADD subtotal int | total | false",
        "ALTER TABLE t ADD total2 int | total | false",
        "ALTER TABLE t DROP COLUMN total | total | false",
        "ALTER TABLE total ADD b int | total | false",
        "ALTER TABLE t ADD größe int | GRÖSSE | false",
        "ALTER TABLE t ADD größe int | Größe | true"
      })
  void tellsWhetherAStatementAddsAColumn(String statement, String column, boolean adds) {
    assertThat(new DdlEntry(Lsn.ZERO, statement).adds(column)).isEqualTo(adds);
  }
}
