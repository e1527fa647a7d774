package io.github.mssqlcdc.testkit.sqlserver.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.testkit.sqlserver.backend.BackendSession;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DefinitionTest {
  private final EngineFixture server = new EngineFixture();
  private BackendSession session;

  @BeforeEach
  void fill() {
    session = server.session();
    EngineFixture.run(
        session,
        "CREATE TABLE dbo.t (id int NOT NULL CONSTRAINT pk_t PRIMARY KEY CLUSTERED, b varchar(5),"
            + " CONSTRAINT uq_b UNIQUE NONCLUSTERED (b)); INSERT t VALUES (1, 'a')");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void theCatalogueHasColumnsAndKeysAsDeclared() {
    TableInfo table = server.store.table("DBO", "T").orElseThrow();

    assertThat(table.columns())
        .extracting(TableInfo.ColumnInfo::columnId, TableInfo.ColumnInfo::name)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(1, "id"),
            org.assertj.core.groups.Tuple.tuple(2, "b"));
    assertThat(table.uniqueIndexes())
        .containsExactly(
            new TableInfo.UniqueIndex("pk_t", true, List.of("id")),
            new TableInfo.UniqueIndex("uq_b", false, List.of("b")));
  }

  @Test
  void columnIdsAreNeverUsedAgain() {
    EngineFixture.run(
        session,
        "ALTER TABLE t ADD c int NULL, d int NOT NULL DEFAULT 3; ALTER TABLE t DROP COLUMN c;"
            + " ALTER TABLE t ADD e int NULL");

    assertThat(server.store.table("dbo", "t").orElseThrow().columns())
        .extracting(TableInfo.ColumnInfo::columnId)
        .containsExactly(1, 2, 4, 5);
    assertThat(EngineFixture.rows(session, "SELECT * FROM t"))
        .containsExactly(Arrays.asList(1, "a", 3, null));
  }

  @Test
  void anAliasTypeIsItsBaseTypeUnderAnotherName() {
    EngineFixture.run(
        session,
        "CREATE TYPE dbo.money2 FROM decimal(19, 4) NOT NULL;"
            + " CREATE TABLE dbo.a (m dbo.money2, n money2 NULL, s sysname); INSERT a VALUES (1.5, NULL,"
            + " N'x')");

    assertThat(EngineFixture.rows(session, "SELECT m FROM a"))
        .containsExactly(List.of(new BigDecimal("1.5000")));
    assertThat(
            EngineFixture.rows(
                session,
                "SELECT c.name, c.is_nullable, t.name, t.is_user_defined, c.scale"
                    + " FROM sys.columns AS c"
                    + " JOIN sys.types AS t ON t.user_type_id = c.user_type_id"
                    + " WHERE c.object_id = OBJECT_ID(N'dbo.a') ORDER BY c.column_id"))
        .containsExactly(
            List.of("m", false, "money2", true, 4),
            List.of("n", true, "money2", true, 4),
            List.of("s", false, "sysname", false, 0));
    assertThatThrownBy(() -> EngineFixture.run(session, "CREATE TABLE dbo.b (m dbo.money3)"))
        .hasMessageContaining("Cannot find data type dbo.money3");
    assertThatThrownBy(() -> EngineFixture.run(session, "CREATE TYPE money2 FROM int"))
        .hasMessageContaining("The type 'money2' already exists");
  }

  @Test
  void changesOfColumnsAreToldOnlyOfTrackedTables() {
    EngineFixture.run(session, "ALTER TABLE t ADD c int NULL");
    server.tracking = true;
    EngineFixture.run(session, "ALTER TABLE t DROP COLUMN c; CREATE INDEX i ON t (b)");

    assertThat(server.alterations).containsExactly("ALTER TABLE t DROP COLUMN c");
  }

  @Test
  void aTrackedTableIsNotTruncated() {
    server.tracking = true;
    assertThat(EngineFixture.error(session, "TRUNCATE TABLE t")).isEqualTo(4711);

    server.tracking = false;
    EngineFixture.run(session, "TRUNCATE TABLE t");
    assertThat(EngineFixture.value(session, "SELECT COUNT(*) FROM t")).isEqualTo(0);
  }

  @Test
  void changesAfterAnAlterationAreTold() {
    EngineFixture.run(session, "ALTER TABLE t ADD c int NULL");
    server.commits.clear();
    EngineFixture.run(session, "UPDATE t SET c = 5");

    assertThat(server.commits.get(0).changes().get(0).after()).containsExactly(1, "a", 5);
  }

  @Test
  void anAlteredColumnHasItsNewType() {
    EngineFixture.run(session, "ALTER TABLE t ALTER COLUMN b nvarchar(50) NOT NULL");

    assertThat(
            EngineFixture.rows(
                session,
                "SELECT y.name, c.max_length, c.is_nullable FROM sys.columns AS c JOIN sys.types AS y"
                    + " ON y.user_type_id = c.user_type_id WHERE c.object_id = OBJECT_ID('t')"
                    + " AND c.name = 'b'"))
        .containsExactly(List.of("nvarchar", 100, false));
  }

  @Test
  void existenceIsAskedInTheUsualWays() {
    assertThat(
            EngineFixture.run(
                    session,
                    "IF OBJECT_ID(N'dbo.t', N'U') IS NOT NULL PRINT 'there'; IF NOT EXISTS (SELECT 1"
                        + " FROM sys.tables WHERE name = 'nope') PRINT 'missing' ELSE PRINT 'no';"
                        + " DROP TABLE IF EXISTS nope, t")
                .messages)
        .containsExactly("there", "missing");
  }

  @Test
  void structureDoesNotChangeInATransactionThatChangedRows() {
    assertThat(
            EngineFixture.error(
                session, "BEGIN TRAN; DELETE t; ALTER TABLE t ADD c int NULL; ROLLBACK"))
        .isEqualTo(226);
  }

  @Test
  void aDatabaseGoesOnceNobodyIsInIt() {
    BackendSession master = server.session("master");

    assertThat(EngineFixture.error(master, "DROP DATABASE shop")).isEqualTo(3702);
    EngineFixture.run(
        master, "ALTER DATABASE shop SET SINGLE_USER WITH ROLLBACK IMMEDIATE; DROP DATABASE shop");
    assertThat(EngineFixture.error(session, "SELECT 1")).isEqualTo(596);
    assertThat(EngineFixture.rows(master, "SELECT name FROM sys.databases WHERE database_id > 4"))
        .isEmpty();
  }

  @Test
  void optionsSetByAParameterizedCallEndWithIt() {
    EngineFixture.call(session, "SET LOCK_TIMEOUT 5; SET NOCOUNT ON; USE master");

    assertThat(EngineFixture.rows(session, "SELECT @@LOCK_TIMEOUT, DB_NAME()"))
        .containsExactly(List.of(-1, "shop"));
    EngineFixture.run(session, "SET LOCK_TIMEOUT 5");
    assertThat(EngineFixture.value(session, "SELECT @@LOCK_TIMEOUT")).isEqualTo(5);
  }

  @Test
  void flowAndErrorsAreThoseOfTSql() {
    RecordingSink sink =
        EngineFixture.attempt(
            session,
            """
            DECLARE @i int = 0;
            WHILE @i < 5 BEGIN SET @i += 1; IF @i = 2 CONTINUE; IF @i = 4 BREAK; PRINT @i; END
            BEGIN TRY RAISERROR('bad %d', 16, 3, 7); PRINT 'not here' END TRY
            BEGIN CATCH PRINT 'caught'; THROW END CATCH
            PRINT 'not here either'
            """);

    assertThat(sink.messages).containsExactly("1", "3", "caught");
    assertThat(sink.errors.get(0)).hasMessage("bad 7");
  }
}
