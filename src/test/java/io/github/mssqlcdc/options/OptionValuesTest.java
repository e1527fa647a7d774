package io.github.mssqlcdc.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionValuesTest {
  private static final String URL = "jdbc:sqlserver://db:1433;databaseName=shop";

  /** Texts that no option here takes; the others take any text, or are read where it is used. */
  private static final Map<String, List<String>> BAD =
      Map.ofEntries(
          Map.entry("url", List.of("jdbc:postgresql://db", "db:1433")),
          Map.entry("numPartitions", List.of("four", "0", "-1", "1.5", "", "10001")),
          Map.entry("fetchSize", List.of("0", "-1", "all", "", "1000001")),
          Map.entry("isolationLevel", List.of("NOLOCK", "readUncommitted", "serializable", "")),
          Map.entry("lockTimeoutMs", List.of("-1", "soon", "", "2147483648")),
          Map.entry("loginTimeout", List.of("-1", "soon", "0", "70000", "10 fortnights")),
          Map.entry("queryTimeout", List.of("-1", "soon", "0", "70000")),
          Map.entry("startingLsn", List.of("yesterday", "0x", "", "0x0000002C000005F0000312")),
          Map.entry("startingTimestamp", List.of("2026-09-30T02:00:00", "yesterday", "")),
          Map.entry("maxCommitsPerBatch", List.of("0", "-5", "many", "1.5")),
          Map.entry("maxRowsPerBatch", List.of("0", "-5", "many", "1e3")),
          Map.entry("failOnDataLoss", List.of("ture", "on", "off", "")),
          Map.entry("includeCommandId", List.of("ture", "on", "off", "")),
          Map.entry("includeUpdateMask", List.of("ture", "on", "off", "")),
          Map.entry("schemaChangePolicy", List.of("ignore", "")),
          Map.entry("pollInterval", List.of("1", "-1s", "PT-1S", "soon", "")),
          Map.entry("idleInterval", List.of("1", "-1s", "soon", "")),
          Map.entry("snapshotLsn", List.of("latest", "0x", "")),
          Map.entry(
              "snapshotKeys",
              List.of("id", "[]", "[1]", "{}", "[\"\"]", "[\"a\"] x", "[\"a\", \"a\"]")),
          Map.entry(
              "snapshotChunks",
              List.of(
                  "",
                  "{}",
                  "[1]",
                  "[[1, 2]]",
                  "[[1, 2, 3, 4]]",
                  "[[-1, 0, 1]]",
                  "[[1.5, 0, 1]]",
                  "[[\"0\", 0, 1]]",
                  "[[0, 1, 2]")));

  private static final Set<String> TAKE_ANY_TEXT =
      Set.of("user", "password", "captureInstance", "columns", "sourceTimeZone");

  static Stream<String> options() {
    return Options.ALL.stream().map(ConfigOption::name);
  }

  @ParameterizedTest
  @MethodSource("options")
  void aBadValueNamesOptionValueAndWhatIsAllowedInBothFormats(String name) {
    assertThat(BAD.containsKey(name)).isNotEqualTo(TAKE_ANY_TEXT.contains(name));
    ConfigOption<?> option =
        Options.ALL.stream().filter(o -> o.name().equals(name)).findFirst().orElseThrow();
    for (String value : BAD.getOrDefault(name, List.of())) {
      String shown = name.equals("url") ? "" : " '" + value + "'";
      String message =
          "Invalid value" + shown + " of option '" + name + "': expected " + option.allowed();
      assertThatThrownBy(() -> StreamOptions.parse(with(name, value)))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessage(message);
      assertThatThrownBy(() -> SnapshotOptions.parse(with(name, value)))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessage(message);
    }
  }

  @Test
  void eachFormatLeavesTheOthersOptionsAlone() {
    Map<String, String> shared = with("startingLsn", "latest");
    shared.put("snapshotChunks", "[]");
    shared.put("maxRowsPerBatch", "5");

    assertThat(StreamOptions.parse(shared).start()).isEqualTo(new Start.Latest());
    assertThat(SnapshotOptions.parse(shared).chunks()).isEmpty();
    assertThat(UnknownOptions.warnings(shared)).isEmpty();
  }

  @Test
  void aSnapshotReadsTheWholeTableAtItsOwnStampUnlessTold() {
    SnapshotOptions options = SnapshotOptions.parse(with("fetchSize", "1"));

    assertThat(options.lsn()).isNull();
    assertThat(options.keys()).isNull();
    assertThat(options.chunks()).isNull();
  }

  @Test
  void chunksKeepTheDigitsOfTheirBounds() {
    Map<String, String> options = with("snapshotLsn", "0x2C");
    options.put("snapshotKeys", "[\"a\", \"b, c\"]");
    options.put(
        "SNAPSHOTCHUNKS",
        "[[3, null, [1.50, \"é\"]], [0, 12345678901234567890123456789.10, 9007199254740993]]");

    SnapshotOptions snapshot = SnapshotOptions.parse(options);

    assertThat(snapshot.lsn()).isEqualTo(Lsn.parse("0x2C"));
    assertThat(snapshot.keys()).containsExactly("a", "b, c");
    assertThat(snapshot.chunks())
        .containsExactly(
            new SnapshotChunk(3, "null", "[1.50,\"é\"]"),
            new SnapshotChunk(0, "12345678901234567890123456789.10", "9007199254740993"));
  }

  @Test
  void keysMayBeGivenWithoutChunks() {
    SnapshotOptions snapshot = SnapshotOptions.parse(with("snapshotKeys", "[\"id\"]"));

    assertThat(snapshot.keys()).containsExactly("id");
    assertThat(snapshot.chunks()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "user", "userName", "uid", "password", "serverName", "server", "instanceName", "portNumber",
        "port", "databaseName", "database", "url", "LoginTimeout", "connectTimeout", "queryTimeout",
            "lockTimeout",
        "defaultTransactionIsolation"
      })
  void aDriverPropertyThatAnOptionSetsIsRefused(String property) {
    assertInvalid(with("jdbc." + property, "geheim"))
        .hasMessageStartingWith("Invalid option 'jdbc." + property + "': set option '");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "loginTimeout=5",
        "QUERYTIMEOUT=5",
        "lockTimeout={5}",
        "defaultTransactionIsolation=READ_UNCOMMITTED"
      })
  void theUrlSetsNoneOfThemEither(String property) {
    assertInvalid(with("url", URL + ";" + property))
        .hasMessageStartingWith(
            "Invalid property '" + property.replaceFirst("=.*", "") + "' in option 'url': set ");
  }

  @Test
  void theUserStandsInTheUrlOrInTheOptions() {
    Map<String, String> options = with("url", URL + ";user=reader");
    assertThat(StreamOptions.parse(options).source().connection().user()).isNull();

    options.put("user", "reader");
    assertThat(StreamOptions.parse(options).source().connection().user()).isEqualTo("reader");

    options.put("user", "other");
    assertInvalid(options)
        .hasMessageStartingWith("Invalid options: 'url' has another 'user' than option 'user'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "selectMethod=cursor", "responseBuffering=full", "maxResultBuffer=30p",
        "maxResultBuffer=geheim", "prepareMethod=none", "prepareMethod=scopeTempTablesToConnection",
        "retryExec={geheim:1,2}"
      })
  void aPropertyThatBreaksAPromiseIsRefusedWithTheReason(String property) {
    String name = property.replaceFirst("=.*", "");
    assertInvalid(with("jdbc." + name, property.replaceFirst(".*=", "")))
        .hasMessageMatching("Unsupported value of option 'jdbc." + name + "': .{30,}");
    assertInvalid(with("url", URL + "; " + property))
        .hasMessageMatching("Unsupported value of property '" + name + "' in option 'url': .{30,}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "selectMethod=Direct",
        "responseBuffering=adaptive",
        "maxResultBuffer=-1",
        "prepareMethod=prepare",
        "retryExec=",
        "encrypt=strict",
        "applicationIntent=ReadOnly"
      })
  void otherValuesPassBothWays(String property) {
    String value = property.replaceFirst(".*=", "");
    StreamOptions.parse(with("url", URL + ";" + property));

    assertThat(
            StreamOptions.parse(with("jdbc." + property.replaceFirst("=.*", ""), value))
                .source()
                .connection()
                .driverProperties())
        .containsValue(value);
  }

  private static org.assertj.core.api.AbstractThrowableAssert<?, ?> assertInvalid(
      Map<String, String> options) {
    return assertThatThrownBy(() -> StreamOptions.parse(options))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageNotContaining("geheim");
  }

  private static Map<String, String> with(String name, String value) {
    Map<String, String> options =
        new HashMap<>(Map.of("url", URL, "captureInstance", "dbo_orders"));
    options.put(name, value);
    return options;
  }

  /** Each is refused, or kept as it is, in no time. */
  @ParameterizedTest
  @MethodSource("hugeLists")
  void aHugeListIsDoneWithAtOnce(String json) {
    assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () -> {
          try {
            SnapshotOptions options = SnapshotOptions.parse(with("snapshotChunks", json));
            assertThat(options.chunks()).isNotEmpty();
          } catch (InvalidRequestException e) {
            assertThat(e.getMessage())
                .startsWith("Invalid value '[[0, null, ")
                .hasSizeLessThan(700);
          }
        });
  }

  static Stream<String> hugeLists() {
    return Stream.of(
        "[[0, null, 1e999999999]]",
        "[[0, null, 1e99999999999999]]",
        "[[0, null, " + "9".repeat(1_000_000) + "]]",
        "[[0, null, 0." + "9".repeat(1_000_000) + "]]",
        "[[0, null, " + "[".repeat(100_000) + "]".repeat(100_000) + "]]",
        "[[0, null, [" + "1,".repeat(1_000_000) + "1]]]",
        "[[0, null, \"" + "x".repeat(1_000_000) + "\"]]");
  }
}
