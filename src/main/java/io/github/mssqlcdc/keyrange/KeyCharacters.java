package io.github.mssqlcdc.keyrange;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whether a char or varchar column holds a text as it is: the server would turn a character that
 * its collation's code page lacks into another one. Collations that aren't known here are taken for
 * ASCII, which all code pages begin with.
 */
final class KeyCharacters {
  private static final Pattern SQL_CODE_PAGE = Pattern.compile("sql_\\w+?_cp(\\d+)_.*");
  private static final Pattern LANGUAGE = Pattern.compile("[a-z]+");
  private static final Map<String, String> SQL_CHARSETS =
      Map.of(
          "1", "windows-1252",
          "437", "IBM437",
          "850", "IBM850",
          "1250", "windows-1250",
          "1251", "windows-1251",
          "1253", "windows-1253",
          "1254", "windows-1254",
          "1255", "windows-1255",
          "1256", "windows-1256",
          "1257", "windows-1257");

  /** By the first word of the name. */
  private static final Map<String, String> CHARSETS =
      Map.ofEntries(
          Map.entry("albanian", "windows-1250"),
          Map.entry("arabic", "windows-1256"),
          Map.entry("croatian", "windows-1250"),
          Map.entry("cyrillic", "windows-1251"),
          Map.entry("czech", "windows-1250"),
          Map.entry("danish", "windows-1252"),
          Map.entry("estonian", "windows-1257"),
          Map.entry("finnish", "windows-1252"),
          Map.entry("french", "windows-1252"),
          Map.entry("german", "windows-1252"),
          Map.entry("greek", "windows-1253"),
          Map.entry("hebrew", "windows-1255"),
          Map.entry("hungarian", "windows-1250"),
          Map.entry("icelandic", "windows-1252"),
          Map.entry("japanese", "windows-31j"),
          Map.entry("korean", "x-windows-949"),
          Map.entry("latin", "windows-1252"),
          Map.entry("latvian", "windows-1257"),
          Map.entry("lithuanian", "windows-1257"),
          Map.entry("modern", "windows-1252"),
          Map.entry("polish", "windows-1250"),
          Map.entry("romanian", "windows-1250"),
          Map.entry("slovak", "windows-1250"),
          Map.entry("slovenian", "windows-1250"),
          Map.entry("thai", "x-windows-874"),
          Map.entry("traditional", "windows-1252"),
          Map.entry("turkish", "windows-1254"),
          Map.entry("ukrainian", "windows-1251"),
          Map.entry("vietnamese", "windows-1258"));

  private KeyCharacters() {}

  /**
   * @param length bytes of the column; not positive: no limit
   */
  static boolean hold(@Nullable String collation, int length, String text) {
    Charset charset = charset(collation);
    return charset.newEncoder().canEncode(text)
        && (length <= 0 || text.getBytes(charset).length <= length);
  }

  private static Charset charset(@Nullable String collation) {
    String name = collation == null ? "" : collation.toLowerCase(Locale.ROOT);
    if (name.endsWith("_utf8")) {
      return StandardCharsets.UTF_8;
    }
    Matcher sql = SQL_CODE_PAGE.matcher(name);
    Matcher language = LANGUAGE.matcher(name);
    String charset =
        sql.matches()
            ? SQL_CHARSETS.get(sql.group(1))
            : language.lookingAt() ? CHARSETS.get(language.group()) : null;
    // a small Java runtime has fewer of them
    return charset != null && Charset.isSupported(charset)
        ? Charset.forName(charset)
        : StandardCharsets.US_ASCII;
  }
}
