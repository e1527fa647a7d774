package io.github.mssqlcdc.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StreamOptionsTest {
  private static final String URL = "jdbc:sqlserver://db:1433;databaseName=shop";

  @Test
  void defaultsHoldWhereNothingIsSet() {
    StreamOptions options = parse();

    assertThat(options)
        .isEqualTo(
            new StreamOptions(
                new SourceOptions(
                    new ConnectionOptions(
                        URL, null, null, Map.of(), Duration.ofSeconds(30), Duration.ofSeconds(60)),
                    "dbo_orders",
                    null,
                    true,
                    false,
                    null,
                    4096,
                    "auto",
                    Isolation.READ_COMMITTED,
                    null),
                new Start.Earliest(),
                null,
                null,
                true,
                SchemaChangePolicy.CLASSIFY,
                Duration.ofSeconds(1),
                Duration.ofSeconds(60),
                null,
                null));
  }

  @Test
  void namesIgnoreCase() {
    assertThat(parse("FETCHSIZE", "10").source().fetchSize()).isEqualTo(10);
  }

  @Test
  void aNameGivenTwiceWithDifferentValuesIsRefused() {
    assertInvalid("fetchSize", "1", "FETCHSIZE", "2")
        .hasMessageContaining("given twice, with different values");
  }

  @ParameterizedTest
  @ValueSource(strings = {"url", "captureInstance"})
  void aRequiredOptionIsMissed(String name) {
    Map<String, String> options = required();
    options.remove(name);

    assertThatThrownBy(() -> StreamOptions.parse(options))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith("Missing option '" + name + "': set it to ");
  }

  @Test
  void aBlankRequiredOptionCountsAsMissing() {
    assertInvalid("captureInstance", "  ").hasMessageStartingWith("Missing option");
  }

  @Test
  void aUrlOfAnotherDriverIsRefusedWithoutShowingIt() {
    assertInvalid("url", "jdbc:postgresql://db;password=geheim")
        .hasMessageStartingWith("Invalid value of option 'url': expected a URL of the Microsoft")
        .hasMessageNotContaining("geheim");
  }

  @ParameterizedTest
  @ValueSource(strings = {"four", "0", "-1", "1.5", "", "10001", "2147483647"})
  void partitionsAreAutoOrAPositiveInteger(String value) {
    assertInvalid("numPartitions", value)
        .hasMessage(
            "Invalid value '"
                + value
                + "' of option 'numPartitions': expected auto or a positive integer up to 10000");
  }

  @Test
  void partitionsAreReadAsGiven() {
    assertThat(parse("numPartitions", " 8 ").source().numPartitions()).isEqualTo(8);
    assertThat(parse("numPartitions", "AUTO").source().numPartitions()).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-5", "many"})
  void aCapBelowOneSaysToOmitIt(String value) {
    assertInvalid("maxCommitsPerBatch", value)
        .hasMessageContaining("'" + value + "' of option 'maxCommitsPerBatch'")
        .hasMessageContaining("omit it to read up to max LSN");
    assertInvalid("maxRowsPerBatch", value).hasMessageContaining("omit it");
  }

  @Test
  void anEmptyCapMeansNone() {
    assertThat(parse("maxCommitsPerBatch", "").maxCommitsPerBatch()).isNull();
    assertThat(parse("maxCommitsPerBatch", "12").maxCommitsPerBatch()).isEqualTo(12L);
  }

  @ParameterizedTest
  @CsvSource({"true,true", "1,true", "YES,true", "' y ',true", "false,false", "0,false"})
  void booleansTakeTheUsualWords(String text, boolean value) {
    assertThat(parse("failOnDataLoss", text).failOnDataLoss()).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ture", "on", "off", ""})
  void otherWordsAreNoBoolean(String value) {
    assertInvalid("failOnDataLoss", value)
        .hasMessage(
            "Invalid value '"
                + value
                + "' of option 'failOnDataLoss': expected true, 1, yes, y or false, 0, no, n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "soon", "0s", "70000", "10 fortnights"})
  void aLoginTimeoutIsADuration(String value) {
    assertInvalid("loginTimeout", value).hasMessageContaining("a bare integer means seconds");
  }

  @Test
  void aBareLoginTimeoutCountsSeconds() {
    assertThat(parse("loginTimeout", "15").source().connection().loginTimeout())
        .isEqualTo(Duration.ofSeconds(15));
  }

  @Test
  void aBareNumberIsMillisecondsOnlyWhereTheNameSaysSo() {
    assertThat(parse("lockTimeoutMs", "1500").source().lockTimeout())
        .isEqualTo(Duration.ofMillis(1500));
    assertInvalid("pollInterval", "1500").hasMessageContaining("expected a duration such as 1s");
  }

  @ParameterizedTest
  @CsvSource({"NOLOCK", "readUncommitted", "serializable"})
  void otherIsolationLevelsAreRefused(String value) {
    assertInvalid("isolationLevel", value).hasMessageContaining("NOLOCK, are never done");
  }

  @Test
  void isolationIgnoresCase() {
    assertThat(parse("isolationLevel", "SNAPSHOT").source().isolation())
        .isEqualTo(Isolation.SNAPSHOT);
    assertThat(parse("isolationLevel", "readcommitted").source().isolation())
        .isEqualTo(Isolation.READ_COMMITTED);
  }

  @Test
  void aSchemaChangePolicyIsClassifyOrFail() {
    assertThat(parse("schemaChangePolicy", "Fail").schemaChangePolicy())
        .isEqualTo(SchemaChangePolicy.FAIL);
    assertInvalid("schemaChangePolicy", "ignore").hasMessageEndingWith("expected classify or fail");
  }

  @Test
  void aStartIsReadFromItsText() {
    assertThat(parse("startingLsn", "LATEST").start()).isEqualTo(new Start.Latest());
    assertThat(parse("startingLsn", "0x2c000005f00003").start())
        .isEqualTo(new Start.After(Offset.of(Lsn.parse("0x0000002C000005F00003"))));
    assertThat(parse("startingTimestamp", "2026-09-30T04:00:00+02:00").start())
        .isEqualTo(new Start.From(Instant.parse("2026-09-30T02:00:00Z")));
  }

  @Test
  void aBadStartNamesWhatIsAllowed() {
    assertInvalid("startingLsn", "yesterday")
        .hasMessageContaining("expected earliest, latest or an LSN such as");
    assertInvalid("startingTimestamp", "2026-09-30T02:00:00")
        .hasMessageContaining("expected an ISO-8601 instant with its offset");
  }

  @Test
  void aStartingLsnExcludesAStartingTimestamp() {
    assertInvalid("startingLsn", "latest", "startingTimestamp", "2026-09-30T02:00:00Z")
        .hasMessageContaining("exclude each other");
  }

  @Test
  void theLibrarysOwnStartWins() {
    String json = "{\"lsn\":\"0x0000002C000005F00003\",\"commit_ts\":null,\"at\":null}";

    assertThat(parse("_startingOffset", json, "_ledger", "id").start())
        .isEqualTo(new Start.After(Offset.parse(json)));
  }

  @Test
  void driverPropertiesLoseTheirPrefix() {
    assertThat(parse("jdbc.encrypt", "false", "JDBC.packetSize", "16000"))
        .extracting(options -> options.source().connection().driverProperties())
        .isEqualTo(Map.of("encrypt", "false", "packetSize", "16000"));
  }

  @Test
  void noTextShowsASecret() {
    StreamOptions options =
        parse("user", "reader", "password", "geheim", "jdbc.trustStorePassword", "geheim");

    assertThat(options.toString()).contains("user=reader").doesNotContain("geheim");
  }

  @Test
  void aSnapshotTakesItsStampFromTheLibrary() {
    String json = "{\"lsn\":\"0x0000002C000005F00003\",\"commit_ts\":null,\"at\":null}";
    Map<String, String> options = required();
    options.put("_snapshotOffset", json);
    options.put("_stampedMaxLsn", "0x2C");

    SnapshotOptions snapshot = SnapshotOptions.parse(options);

    assertThat(snapshot.stamp()).isEqualTo(Offset.parse(json));
    assertThat(snapshot.stampedMaxLsn()).isEqualTo(Lsn.parse("0x2C"));
    assertThat(SnapshotOptions.parse(required()).stamp()).isNull();
  }

  private static AbstractThrowableAssert<?, ?> assertInvalid(String... namesAndValues) {
    return assertThatThrownBy(() -> parse(namesAndValues))
        .isInstanceOf(InvalidRequestException.class)
        .extracting(failure -> (InvalidRequestException) failure)
        .matches(failure -> failure.code() == ErrorCode.INVALID_OPTION)
        .asInstanceOf(InstanceOfAssertFactories.throwable(InvalidRequestException.class));
  }

  private static StreamOptions parse(String... namesAndValues) {
    Map<String, String> options = required();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      options.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return StreamOptions.parse(options);
  }

  private static Map<String, String> required() {
    return new HashMap<>(Map.of("url", URL, "captureInstance", "dbo_orders"));
  }
}
