package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.connection.ConnectionTarget;
import io.github.mssqlcdc.lsn.Lsn;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MissingRightsTest {
  private static final CaptureInstance ORDERS =
      new CaptureInstance(
          "dbo_orders",
          "dbo",
          "orders",
          1,
          2,
          new Lsn(0, 1),
          LocalDateTime.of(2026, 1, 1, 0, 0),
          List.of());

  private final Answers server = new Answers();
  private final MissingRights rights =
      new MissingRights(new ConnectionTarget("db", "shop", "reader", Map.of()), server);

  /** A server that says what it is told to say, and remembers what it was asked. */
  private static final class Answers implements ErrorTranslator.Diagnosis {
    final Map<String, Boolean> select = new HashMap<>();
    final Map<String, List<String>> denied = new HashMap<>();
    final List<String> asked = new ArrayList<>();

    @Override
    public Optional<Boolean> isCdcEnabled() {
      return Optional.empty();
    }

    @Override
    public Optional<Boolean> maySelect(String quotedName) {
      asked.add(quotedName);
      return Optional.ofNullable(select.get(quotedName));
    }

    @Override
    public List<String> deniedColumns(String quotedName) {
      return denied.getOrDefault(quotedName, List.of());
    }

    @Override
    public Optional<String> user() {
      return Optional.of("le]ser");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "229, A permissão SELECT foi negada no objeto 'dbo_orders_CT'",
    "229, Die SELECT-Berechtigung wurde verweigert",
    "230, 権限が拒否されました",
    "50000, something about dbo_orders_CT in a language that nobody reads",
  })
  void theLanguageOfTheMessageDoesNotMatter(int number, String message) {
    server.select.put("[cdc].[dbo_orders_CT]", false);

    assertThat(rights.behind("read", ORDERS, failure(number, message)))
        .hasMessageContaining("Ask for GRANT SELECT ON [cdc].[dbo_orders_CT] TO [le]]ser]")
        .hasCauseInstanceOf(SQLException.class)
        .cause()
        .hasMessage(message);
  }

  @Test
  void aFailureThatNamesNoTableAsksNothing() {
    server.select.put("[cdc].[dbo_orders_CT]", false);

    assertThat(rights.behind("read", ORDERS, failure(0, "Connection reset"))).isNull();
    assertThat(server.asked).isEmpty();
  }

  @Test
  void anAnswerThatIsNoPlainNoIsNoReason() {
    server.select.put("[dbo].[orders]", true);

    assertThat(rights.behind("read", ORDERS, failure(229, "dbo_orders_CT of orders"))).isNull();
    assertThat(server.asked)
        .containsExactly("[cdc].[dbo_orders_CT]", "[dbo].[orders]", "[cdc].[lsn_time_mapping]");
  }

  @Test
  void theTableOfAnInstanceIsFoundWhereverItsNameIsSplit() {
    server.select.put("[sales_eu].[order_lines]", false);

    assertThat(rights.find("sales_eu_order_lines"))
        .containsExactly(new MissingRights.SourceTable("sales_eu", "order_lines", false));
    assertThat(rights.find("orders")).isEmpty();
    assertThat(server.asked).endsWith("[dbo].[orders]");
  }

  @Test
  void aNameOfUnderscoresAloneAsksLittle() {
    assertThat(rights.find("_".repeat(100))).isEmpty();
    assertThat(server.asked).hasSizeLessThan(10);
  }

  @Test
  void ofTwoTablesThatTheNameMayMeanNoneIsPickedForAGrant() {
    server.select.put("[cdc].[a_b_c_CT]", false);
    server.select.put("[a].[b_c]", false);
    server.select.put("[a_b].[c]", false);

    assertThat(rights.hidden("read", "a_b_c", null))
        .hasMessageContaining(
            "Ask for GRANT SELECT ON [<source table>] TO [le]]ser]; with a gating role for ALTER"
                + " ROLE [<gating role>] ADD MEMBER [le]]ser], too (by its name, the table may be"
                + " [a].[b_c] or [a_b].[c]). A db_owner finds table and role by SELECT"
                + " OBJECT_SCHEMA_NAME(source_object_id)");
  }

  @Test
  void aDenialOfColumnsIsNotTakenForAGatingRole() {
    server.select.put("[cdc].[dbo_orders_CT]", true);
    server.select.put("[dbo].[orders]", true);
    server.denied.put("[dbo].[orders]", List.of("a", "b]"));

    assertThat(rights.hidden("read", "dbo_orders", null))
        .hasMessageContaining(
            "Ask for REVOKE SELECT ON [dbo].[orders] ([a], [b]]]) FROM whom it is denied to, a"
                + " role or [le]]ser] (SELECT on the table is there, but denied on these columns");
    assertThat(rights.behind("read", ORDERS, failure(230, "verweigert")))
        .hasMessageContaining("the login may not read columns [a], [b]]] of [dbo].[orders]")
        .hasMessageEndingWith(
            "or ask for REVOKE SELECT ON [dbo].[orders] ([a], [b]]]) FROM whom it is denied to, a"
                + " role or [le]]ser]");
  }

  private static SQLException failure(int number, String message) {
    return new SQLException(message, "S0005", number);
  }
}
