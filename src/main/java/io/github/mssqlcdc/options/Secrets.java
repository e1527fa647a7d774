package io.github.mssqlcdc.options;

import java.util.regex.Pattern;

/**
 * Which properties of the driver hold a secret, by their names. An option of such a name is shown
 * nowhere by us; Spark shows options in plans, and hides only those whose names it knows.
 */
public final class Secrets {
  /** What a secret's name has in it. */
  static final String NAMES = "password|pwd|accesstoken|secret|providerclientkey";

  private static final Pattern SECRET = Pattern.compile(NAMES, Pattern.CASE_INSENSITIVE);

  /** The default of {@code spark.redaction.regex}. */
  private static final Pattern HIDDEN_BY_SPARK =
      Pattern.compile("secret|password|token|access[.]?key", Pattern.CASE_INSENSITIVE);

  /** A class, not a token. */
  private static final String CALLBACK = "accessTokenCallback";

  private Secrets() {}

  /** Whether the driver's property of this name holds a secret. */
  public static boolean isSecret(String property) {
    return SECRET.matcher(property).find()
        && !property.regionMatches(true, 0, CALLBACK, 0, CALLBACK.length());
  }

  /** Whether it would stand in Spark's plans for all to read. */
  static boolean isShownBySpark(String property) {
    return isSecret(property) && !HIDDEN_BY_SPARK.matcher(property).find();
  }
}
