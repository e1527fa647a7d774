package io.github.mssqlcdc.options;

import java.util.regex.Pattern;

/**
 * Keeps secrets out of URLs: a URL stands in plans, in the driver's messages and in ours. A secret
 * in an option of its own is known as one by its name, to Spark and to us.
 */
final class UrlSecrets {
  /** Told by name alone, so that a slip of the pen (a colon, a blank) is no way around it. */
  private static final Pattern SECRET =
      Pattern.compile("(" + Secrets.NAMES + ")\\s*[=:]", Pattern.CASE_INSENSITIVE);

  private UrlSecrets() {}

  /**
   * @throws io.github.mssqlcdc.error.InvalidRequestException if the URL holds one; the message
   *     doesn't show it
   */
  static void requireNoneIn(String url) {
    if (SECRET.matcher(url).find()) {
      throw OptionValues.invalid(
          "Invalid option 'url': it holds a password, a token or another secret, and a URL is shown"
              + " in plans and messages. Set option 'password', or jdbc.<name> for another property"
              + " of the driver, for example 'jdbc.trustStorePassword'");
    }
    int properties = url.indexOf(';');
    if (url.substring(0, properties < 0 ? url.length() : properties).contains("@")) {
      throw OptionValues.invalid(
          "Invalid option 'url': the Microsoft driver takes no login in front of the host. Set"
              + " options 'user' and 'password'");
    }
  }
}
