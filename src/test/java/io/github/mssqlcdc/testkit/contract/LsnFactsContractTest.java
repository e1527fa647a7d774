package io.github.mssqlcdc.testkit.contract;

import static io.github.mssqlcdc.testkit.contract.Fact.Known.DOCUMENTED;
import static io.github.mssqlcdc.testkit.contract.Fact.Known.INFERRED;
import static io.github.mssqlcdc.testkit.contract.Fact.Known.MEASURED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.UUID;

/** What the LSN map and the functions on it say. */
final class LsnFactsContractTest extends FactSuite {
  private static final String KEY = "id int NOT NULL PRIMARY KEY";
  private static final String LARGEST = "0xFFFFFFFFFFFFFFFFFFFF";
  private static final String ZERO = "0x00000000000000000000";

  @Fact(
      id = "LSN-3",
      value = "increment and decrement are the neighbours on 80 bits",
      known = INFERRED)
  void neighbours() {
    assertThat(neighbours("0x00000026000005F0FFFF"))
        .isEqualTo("0x00000026000005F10000|0x00000026000005F0FFFE");
    assertThat(neighbours("0x00000027000000000000"))
        .isEqualTo("0x00000027000000000001|0x00000026FFFFFFFFFFFF");
  }

  @Fact(
      id = "LSN-4",
      value = "increment and decrement wrap around at the ends of the 80 bits",
      known = INFERRED)
  void ends() {
    assertThat(value("SELECT sys.fn_cdc_increment_lsn(" + LARGEST + ")")).isEqualTo(ZERO);
    assertThat(value("SELECT sys.fn_cdc_decrement_lsn(" + ZERO + ")")).isEqualTo(LARGEST);
  }

  @Fact(
      id = "LSN-5",
      value = "a transaction that changes no captured table has no entry in the LSN map",
      known = INFERRED)
  void untracked() {
    track("tracked", KEY);
    database.run("CREATE TABLE dbo.untracked (" + KEY + ")");
    commit(
        "INSERT INTO dbo.tracked VALUES (1)",
        "INSERT INTO dbo.untracked VALUES (1)",
        "INSERT INTO dbo.untracked VALUES (2)",
        "INSERT INTO dbo.tracked VALUES (2)");

    assertThat(
            value(
                "SELECT COUNT(*) FROM cdc.lsn_time_mapping WHERE tran_id <> 0x00 AND start_lsn >"
                    + " (SELECT MIN([__$start_lsn]) FROM cdc.dbo_tracked_CT) AND start_lsn <"
                    + " (SELECT MAX([__$start_lsn]) FROM cdc.dbo_tracked_CT)"))
        .isEqualTo("0");
  }

  @Fact(
      id = "LSN-6",
      value = "DDL on a captured table has an entry in the LSN map at its ddl_lsn",
      known = INFERRED)
  void ddl() {
    track("altered", KEY);
    commit("ALTER TABLE dbo.altered ADD extra int NULL");

    assertThat(
            rows(
                "SELECT CASE WHEN m.start_lsn IS NULL THEN 0 ELSE 1 END, CASE WHEN h.ddl_lsn <="
                    + " sys.fn_cdc_get_max_lsn() THEN 1 ELSE 0 END FROM cdc.ddl_history AS h LEFT"
                    + " JOIN cdc.lsn_time_mapping AS m ON m.start_lsn = h.ddl_lsn WHERE"
                    + " h.source_object_id = OBJECT_ID(N'dbo.altered')"))
        .containsExactly("1|1");
  }

  @Fact(
      id = "LSN-7",
      value =
          "an instance's creation has an entry (start_lsn, create_date) in the LSN map, tran_id"
              + " 0x00",
      known = MEASURED)
  void creation() {
    track("created", KEY);

    assertThat(
            rows(
                "SELECT CASE WHEN m.tran_id = 0x00 THEN 1 ELSE 0 END, CASE WHEN m.tran_end_time ="
                    + " c.create_date THEN 1 ELSE 0 END FROM cdc.change_tables AS c JOIN"
                    + " cdc.lsn_time_mapping AS m ON m.start_lsn = c.start_lsn WHERE"
                    + " c.capture_instance = N'dbo_created'"))
        .containsExactly("1|1");
  }

  @Fact(
      id = "LSN-8",
      value = "min LSN is zero for an instance that isn't there",
      known = DOCUMENTED)
  void unknownInstance() {
    assertThat(value("SELECT sys.fn_cdc_get_min_lsn(N'dbo_nothing')")).isEqualTo(ZERO);
  }

  @Fact(
      id = "LSN-9",
      value = "min LSN is zero as long as capture hasn't seen the instance",
      known = MEASURED)
  void unseenInstance() {
    database.run(
        "CREATE TABLE dbo.unseen (" + KEY + ")",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'unseen',"
            + " @role_name = NULL");
    List<String> rows =
        rows(
            "SELECT start_lsn, sys.fn_cdc_get_min_lsn(capture_instance) FROM cdc.change_tables"
                + " WHERE capture_instance = N'dbo_unseen'");

    assumeTrue(rows.get(0).startsWith("null|"), "Capture was faster than the question");
    assertThat(rows).containsExactly("null|" + ZERO);
  }

  @Fact(
      id = "LSN-10",
      value = "fn_cdc_map_time_to_lsn gives NULL for an operator that it doesn't know",
      known = INFERRED)
  void unknownOperator() {
    assertThat(value("SELECT sys.fn_cdc_map_time_to_lsn(N'about', GETDATE())")).isEqualTo("null");
  }

  @Fact(
      id = "LSN-11",
      value = "in a database without CDC the functions fail with 208",
      known = INFERRED)
  void withoutCdc() {
    String name = "contract_plain_" + UUID.randomUUID().toString().replace("-", "");
    database.run(DatabaseClient.create(name, null));
    try {
      for (String function : List.of("get_max_lsn()", "get_min_lsn(N'dbo_x')")) {
        assertThatThrownBy(() -> query(name, "SELECT sys.fn_cdc_" + function))
            .isInstanceOfSatisfying(
                java.sql.SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(208));
      }
    } finally {
      database.run("USE master; " + DatabaseClient.drop(name)[1]);
    }
  }

  @Fact(
      id = "LSN-12",
      value = "both instances of a table have each commit under one LSN and sequence value",
      known = MEASURED)
  void twoInstances() {
    track("twice", KEY + ", n int NULL");
    enable("twice", "dbo_twice_again", "");
    commit("INSERT INTO dbo.twice VALUES (1, 1), (2, 2)", "UPDATE dbo.twice SET n = 3");

    String rows = "[__$start_lsn], [__$seqval], [__$operation], id";
    assertThat(rows("SELECT " + rows + " FROM cdc.dbo_twice_again_CT ORDER BY 1, 2, 3"))
        .hasSize(6)
        .isEqualTo(rows("SELECT " + rows + " FROM cdc.dbo_twice_CT ORDER BY 1, 2, 3"));
  }

  @Fact(
      id = "LSN-13",
      value = "a change table is clustered by LSN, command id, sequence value and operation",
      known = MEASURED)
  void clusteredKey() {
    track("clustered", KEY);

    assertThat(
            rows(
                "SELECT c.name, i.is_unique FROM sys.indexes AS i JOIN sys.index_columns AS x ON"
                    + " x.object_id = i.object_id AND x.index_id = i.index_id JOIN sys.columns AS c"
                    + " ON c.object_id = x.object_id AND c.column_id = x.column_id WHERE"
                    + " i.object_id = OBJECT_ID(N'cdc.dbo_clustered_CT') AND i.type = 1 ORDER BY"
                    + " x.key_ordinal"))
        .containsExactly(
            "__$start_lsn|true", "__$command_id|true", "__$seqval|true", "__$operation|true");
  }

  private String neighbours(String lsn) {
    return value(
        "SELECT sys.fn_cdc_increment_lsn(" + lsn + "), sys.fn_cdc_decrement_lsn(" + lsn + ")");
  }

  private void query(String otherDatabase, String sql) throws java.sql.SQLException {
    try (var connection = database.connect()) {
      connection.setCatalog(otherDatabase);
      try (var statement = connection.createStatement();
          var result = statement.executeQuery(sql)) {
        result.next();
      }
    }
  }
}
