package io.github.mssqlcdc.testkit.sqlserver.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.mssqlcdc.testkit.sqlserver.backend.Backend;
import io.github.mssqlcdc.testkit.sqlserver.backend.BackendSession;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SecurityTest {
  private final EngineFixture server = new EngineFixture();
  private BackendSession admin;

  @BeforeEach
  void fill() {
    admin = server.session();
    EngineFixture.run(
        admin,
        """
        CREATE TABLE dbo.t (id int NOT NULL PRIMARY KEY, secret int NULL);
        CREATE LOGIN reader WITH PASSWORD = 'Pass-1';
        CREATE USER reader FOR LOGIN reader;
        CREATE LOGIN stranger WITH PASSWORD = 'Pass-2';
        """);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private BackendSession reader() {
    return server.session("reader", "Pass-1", "shop");
  }

  private SqlServerError login(String user, String password, String database) {
    return catchThrowableOfType(
        SqlServerError.class,
        () -> server.engine.login(new Backend.Login(user, password, database, "", false)));
  }

  @Test
  void badLoginsAreRefusedWithoutSayingWhy() {
    assertThat(login("reader", "wrong", "shop").number()).isEqualTo(18456);
    assertThat(login("nobody", "Pass-1", "shop")).hasMessage("Login failed for user 'nobody'.");
  }

  @Test
  void aDatabaseIsClosedToWhoIsNoUserOfIt() {
    assertThat(login("stranger", "Pass-2", "shop"))
        .hasMessage("Cannot open database \"shop\" requested by the login. The login failed.");
    assertThat(login("reader", "Pass-1", "nope").number()).isEqualTo(4060);
    assertThat(EngineFixture.error(server.session("stranger", "Pass-2", "master"), "USE shop"))
        .isEqualTo(916);
  }

  @Test
  void selectIsDeniedUntilGranted() {
    SqlServerError denied = EngineFixture.attempt(reader(), "SELECT * FROM dbo.t").errors.get(0);
    assertThat(List.of(denied.number(), denied.severity(), denied.state()))
        .containsExactly(229, 14, 5);
    assertThat(denied)
        .hasMessage(
            "The SELECT permission was denied on the object 't', database 'shop', schema 'dbo'.");

    EngineFixture.run(admin, "GRANT SELECT ON dbo.t TO reader");
    assertThat(EngineFixture.rows(reader(), "SELECT * FROM dbo.t")).isEmpty();
    assertThat(EngineFixture.error(reader(), "INSERT dbo.t (id) VALUES (1)")).isEqualTo(229);

    EngineFixture.run(admin, "DENY SELECT ON dbo.t TO reader");
    assertThat(EngineFixture.error(reader(), "SELECT * FROM dbo.t")).isEqualTo(229);
  }

  @Test
  void rolesAndSchemasGrantToo() {
    EngineFixture.run(
        admin,
        "CREATE ROLE team; ALTER ROLE team ADD MEMBER reader; GRANT SELECT ON SCHEMA::dbo TO team");

    assertThat(EngineFixture.rows(reader(), "SELECT * FROM dbo.t")).isEmpty();
    assertThat(
            EngineFixture.rows(
                reader(),
                "SELECT IS_MEMBER('team'), IS_MEMBER('db_owner'),"
                    + " HAS_PERMS_BY_NAME('dbo.t', 'OBJECT', 'SELECT'),"
                    + " HAS_PERMS_BY_NAME('dbo.t', 'OBJECT', 'INSERT'), USER_NAME(), SUSER_SNAME()"))
        .containsExactly(List.of(1, 0, 1, 0, "reader", "reader"));
  }

  @Test
  void aGrantOnColumnsOpensOnlyThese() {
    EngineFixture.run(admin, "GRANT SELECT ON dbo.t (id) TO reader");

    assertThat(EngineFixture.rows(reader(), "SELECT id FROM dbo.t")).isEmpty();
    assertThat(EngineFixture.error(reader(), "SELECT secret FROM dbo.t")).isEqualTo(230);
    assertThat(EngineFixture.error(reader(), "SELECT * FROM dbo.t")).isEqualTo(230);
  }

  @Test
  void ownersMayDefineAndReadersMayNot() {
    assertThat(EngineFixture.error(reader(), "CREATE TABLE dbo.u (a int)")).isEqualTo(262);
    assertThat(EngineFixture.error(reader(), "CREATE LOGIN x WITH PASSWORD = 'y'"))
        .isEqualTo(15247);

    EngineFixture.run(admin, "ALTER ROLE db_owner ADD MEMBER reader");
    EngineFixture.run(reader(), "CREATE TABLE dbo.u (a int); DROP TABLE dbo.u");
  }

  @Test
  void tablesOfTheSystemAreOpenToOwnersOnly() {
    server.store.createSchema("cdc");
    int id =
        server.store.createSystemTable(
            "cdc",
            "marks",
            List.of(
                new io.github.mssqlcdc.testkit.sqlserver.backend.Column(
                    "a", io.github.mssqlcdc.testkit.sqlserver.engine.value.Types.INT, false)),
            List.of("a"));

    assertThat(EngineFixture.rows(admin, "SELECT a FROM cdc.marks")).isEmpty();
    assertThat(EngineFixture.error(reader(), "SELECT a FROM cdc.marks")).isEqualTo(229);
    server.store.grantSelectToPublic(id);
    assertThat(EngineFixture.rows(reader(), "SELECT a FROM cdc.marks")).isEmpty();
  }

  @Test
  void metadataIsHiddenFromWhoMayNotRead() {
    assertThat(EngineFixture.rows(reader(), "SELECT name FROM sys.tables")).isEmpty();
    assertThat(EngineFixture.rows(admin, "SELECT name FROM sys.tables"))
        .containsExactly(List.of("t"));
  }
}
