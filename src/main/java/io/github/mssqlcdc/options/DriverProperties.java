package io.github.mssqlcdc.options;

import static io.github.mssqlcdc.options.OptionValues.invalid;

import io.github.mssqlcdc.error.InvalidRequestException;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is allowed of the driver's own properties, given as {@code jdbc.<name>} or in the URL: none
 * that an option of ours sets, and none that takes away what the library promises.
 */
final class DriverProperties {
  /** Which option stands for a property; the URL itself says user, password and address. */
  private static final Map<String, String> OPTIONS =
      ignoringCase(
          Map.ofEntries(
              Map.entry("user", "user"),
              Map.entry("userName", "user"),
              Map.entry("uid", "user"),
              Map.entry("password", "password"),
              Map.entry("loginTimeout", "loginTimeout"),
              Map.entry("connectTimeout", "loginTimeout"),
              Map.entry("queryTimeout", "queryTimeout"),
              Map.entry("lockTimeout", "lockTimeoutMs"),
              Map.entry("defaultTransactionIsolation", "isolationLevel"),
              Map.entry("url", "url"),
              Map.entry("databaseName", "url"),
              Map.entry("database", "url"),
              Map.entry("serverName", "url"),
              Map.entry("server", "url"),
              Map.entry("instanceName", "url"),
              Map.entry("portNumber", "url"),
              Map.entry("port", "url")));

  /** What the URL is for, and what {@link UrlSecrets} refuses there. */
  private static final Set<String> OF_THE_URL = Set.of("url", "password");

  private static final Map<String, Refusal> REFUSED =
      ignoringCase(
          Map.of(
              "selectMethod",
              new Refusal(
                  Set.of("direct"),
                  "a server cursor takes one statement, and the rows are read between two others"),
              "responseBuffering",
              new Refusal(Set.of("adaptive"), "the whole result would be held in memory"),
              "maxResultBuffer",
              new Refusal(
                  Set.of("-1"),
                  "the driver doesn't page at that size, it breaks the read with a protocol error"),
              "prepareMethod",
              new Refusal(
                  Set.of("prepexec", "prepare"),
                  "lock timeout and isolation of a read would stay on the pooled connection"),
              "retryExec",
              new Refusal(
                  Set.of(""),
                  "its rules hold for the whole JVM and would repeat reads unseen; the library"
                      + " retries by itself")));

  private DriverProperties() {}

  /**
   * Checks both places.
   *
   * @param url null where it is missing, which is for others to say
   * @param given properties without their prefix
   * @throws InvalidRequestException if one isn't allowed; the message never shows a value
   */
  static void check(@Nullable String url, Map<String, String> given, OptionValues values) {
    given.forEach(
        (name, value) -> {
          String option = OPTIONS.get(name);
          if (option != null) {
            throw contradiction("option '" + Options.DRIVER_PREFIX + name + "'", option);
          }
          refuse("option '" + Options.DRIVER_PREFIX + name + "'", name, value);
          refuseShown(name);
        });
    if (url != null) {
      UrlProperties.parse(url)
          .forEach(
              (name, value) -> {
                checkUrl(name, value, values);
                refuse(inUrl(name), name, value);
              });
    }
  }

  private static void checkUrl(String name, String value, OptionValues values) {
    String option = OPTIONS.get(name);
    if (option == null || OF_THE_URL.contains(option)) {
      return;
    }
    if (!option.equals("user")) {
      throw contradiction(inUrl(name), option);
    }
    String other = values.text(option);
    if (other != null && !other.equals(value)) {
      throw invalid(
          "Invalid options: 'url' has another 'user' than option 'user'; leave one of both out");
    }
  }

  private static void refuse(String shown, String name, String value) {
    Refusal refusal = REFUSED.get(name);
    if (refusal != null && refusal.allowed().stream().noneMatch(value.strip()::equalsIgnoreCase)) {
      throw invalid("Unsupported value of " + shown + ": " + refusal.reason());
    }
  }

  private static void refuseShown(String name) {
    if (Secrets.isShownBySpark(name)) {
      throw invalid(
          "Unsupported option '"
              + Options.DRIVER_PREFIX
              + name
              + "': Spark would show this secret in plans. Set 'jdbc.keyStoreAuthentication' ="
              + " KeyVaultClientSecret, 'jdbc.keyStorePrincipalId' and 'jdbc.keyStoreSecret'"
              + " instead");
    }
  }

  private static String inUrl(String name) {
    return "property '" + name + "' in option 'url'";
  }

  private static InvalidRequestException contradiction(String shown, String option) {
    return invalid(
        "Invalid "
            + shown
            + ": set option '"
            + option
            + "' instead, which sets this driver property");
  }

  private static <T> Map<String, T> ignoringCase(Map<String, T> map) {
    Map<String, T> result = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    result.putAll(map);
    return Collections.unmodifiableMap(result);
  }

  /**
   * @param allowed the only values that do no harm
   */
  private record Refusal(Set<String> allowed, String reason) {}
}
