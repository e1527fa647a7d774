package io.github.mssqlcdc.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.CapturedColumn.Trait;
import io.github.mssqlcdc.type.SqlType;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotKeyTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tinyint",
        "smallint",
        "int",
        "bigint",
        "bit",
        "decimal",
        "numeric",
        "money",
        "smallmoney",
        "date",
        "datetime",
        "smalldatetime",
        "datetime2",
        "datetimeoffset",
        "uniqueidentifier",
        "char",
        "varchar",
        "nchar",
        "nvarchar",
        "binary",
        "varbinary",
        "timestamp"
      })
  void boundsAreFoundOnTheseTypes(String type) {
    assertThat(key(column("k", type, 8, "Latin1_General_CI_AS")).obstacle()).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"time", "float", "real", "xml", "sql_variant", "hierarchyid", "json"})
  void boundsAreFoundOnNoOthers(String type) {
    assertThat(key(column("k", type, 8, null)).obstacle())
        .isEqualTo("no bounds can be found on key column 'k' of type " + type);
  }

  @Test
  void textNeedsItsCollationUnlessItIsUnicode() {
    assertThat(key(column("k", "varchar", 8, null)).obstacle())
        .isEqualTo(
            "no bounds can be found on key column 'k' of type varchar, whose collation the login"
                + " doesn't see");
    assertThat(key(column("k", "nvarchar", 8, null)).obstacle()).isNull();
    assertThat(key(column("k", "varchar", SqlType.MAX, "Latin1_General_CI_AS")).obstacle())
        .isEqualTo("no bounds can be found on key column 'k' of type varchar");
  }

  @Test
  void columnsWhoseValuesAreNotTheTrueOnesAreNoKey() {
    assertThat(key(column("k", "int", 0, null, Trait.MASKED)).obstacle())
        .isEqualTo("key column 'k' is under dynamic data masking");
    assertThat(key(column("k", "int", 0, null, Trait.ENCRYPTED)).obstacle())
        .isEqualTo("key column 'k' is under Always Encrypted");
    assertThat(key(column("k", "int", 0, null, Trait.DROPPED)))
        .isEqualTo(new SnapshotKey(List.of(), "its key columns [k] aren't captured"));
  }

  private static SnapshotKey key(CapturedColumn column) {
    CaptureInstance instance =
        new CaptureInstance(
            "dbo_t", "dbo", "t", 1, 2, null, LocalDateTime.MIN, List.of(column.name()));
    return SnapshotKey.of(instance, List.of(column), null);
  }

  private static CapturedColumn column(
      String name, String type, int length, @Nullable String collation, Trait... traits) {
    return new CapturedColumn(
        name, 1, 1, new SqlType(type, length, 0, 0), collation, Set.of(traits));
  }
}
