package io.github.mssqlcdc.testkit.sqlserver.backend;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a collation's name says: as TDS carries it, locale, comparison flags, version and sort id in
 * five bytes; and the code page of its char and varchar values.
 *
 * @param name as it was written
 * @param info locale id, flags and version
 * @param sortId of the one SQL collation that has its own here; else 0, so that the locale decides
 *     on the code page (inferred for other SQL_ collations: their code page is right, their sort id
 *     isn't told)
 */
public record Collation(String name, int info, int sortId, Charset charset) {
  public static final String DEFAULT = "SQL_Latin1_General_CP1_CI_AS";

  private static final int SORT_ID_CP1_CI_AS = 52;
  private static final int IGNORE_CASE = 1 << 20;
  private static final int IGNORE_ACCENT = 1 << 21;
  private static final int IGNORE_KANA = 1 << 22;
  private static final int IGNORE_WIDTH = 1 << 23;
  private static final int BINARY = 1 << 24;
  private static final int BINARY2 = 1 << 25;
  private static final int UTF8 = 1 << 26;
  private static final int VERSION_SHIFT = 28;

  private record Language(int locale, String charset) {}

  private static final Map<String, Language> LANGUAGES =
      Map.ofEntries(
          Map.entry("albanian", new Language(0x041C, "windows-1250")),
          Map.entry("arabic", new Language(0x0401, "windows-1256")),
          Map.entry("chinese_prc", new Language(0x0804, "GBK")),
          Map.entry("chinese_taiwan", new Language(0x0404, "x-windows-950")),
          Map.entry("croatian", new Language(0x041A, "windows-1250")),
          Map.entry("cyrillic", new Language(0x0419, "windows-1251")),
          Map.entry("czech", new Language(0x0405, "windows-1250")),
          Map.entry("danish", new Language(0x0406, "windows-1252")),
          Map.entry("estonian", new Language(0x0425, "windows-1257")),
          Map.entry("finnish", new Language(0x040B, "windows-1252")),
          Map.entry("french", new Language(0x040C, "windows-1252")),
          Map.entry("german", new Language(0x0407, "windows-1252")),
          Map.entry("greek", new Language(0x0408, "windows-1253")),
          Map.entry("hebrew", new Language(0x040D, "windows-1255")),
          Map.entry("hungarian", new Language(0x040E, "windows-1250")),
          Map.entry("icelandic", new Language(0x040F, "windows-1252")),
          Map.entry("japanese", new Language(0x0411, "windows-31j")),
          Map.entry("korean", new Language(0x0412, "x-windows-949")),
          Map.entry("latin1_general", new Language(0x0409, "windows-1252")),
          Map.entry("latvian", new Language(0x0426, "windows-1257")),
          Map.entry("lithuanian", new Language(0x0427, "windows-1257")),
          Map.entry("modern_spanish", new Language(0x0C0A, "windows-1252")),
          Map.entry("polish", new Language(0x0415, "windows-1250")),
          Map.entry("romanian", new Language(0x0418, "windows-1250")),
          Map.entry("slovak", new Language(0x041B, "windows-1250")),
          Map.entry("slovenian", new Language(0x0424, "windows-1250")),
          Map.entry("thai", new Language(0x041E, "x-windows-874")),
          Map.entry("turkish", new Language(0x041F, "windows-1254")),
          Map.entry("ukrainian", new Language(0x0422, "windows-1251")),
          Map.entry("vietnamese", new Language(0x042A, "windows-1258")));

  private static final Map<String, String> SQL_CODE_PAGES =
      Map.of(
          "cp1_", "latin1_general",
          "cp1250_", "czech",
          "cp1251_", "cyrillic",
          "cp1253_", "greek",
          "cp1254_", "turkish",
          "cp1255_", "hebrew",
          "cp1256_", "arabic",
          "cp1257_", "lithuanian");

  /**
   * @param name null for the default
   * @throws IllegalArgumentException unknown collation
   */
  public static Collation named(@Nullable String name) {
    String key = (name == null ? DEFAULT : name).toLowerCase(Locale.ROOT);
    Language language = language(key);
    boolean utf8 = key.contains("_utf8");
    int sortId = key.equalsIgnoreCase(DEFAULT) ? SORT_ID_CP1_CI_AS : 0;
    Charset charset = utf8 ? StandardCharsets.UTF_8 : Charset.forName(language.charset());
    int info = language.locale() | flags(key) | (utf8 ? UTF8 : 0) | version(key) << VERSION_SHIFT;
    return new Collation(name == null ? DEFAULT : name, info, sortId, charset);
  }

  /** The code page of a collation that came over the wire, from a parameter. */
  public static Charset charset(int info, int sortId) {
    if ((info & UTF8) != 0) {
      return StandardCharsets.UTF_8;
    }
    int locale = info & 0xFFFF;
    return LANGUAGES.values().stream()
        .filter(language -> sortId == 0 && language.locale() == locale)
        .map(language -> Charset.forName(language.charset()))
        .findFirst()
        .orElse(Charset.forName("windows-1252"));
  }

  public boolean isBinary() {
    return (info & (BINARY | BINARY2)) != 0;
  }

  public boolean ignoresCase() {
    return (info & IGNORE_CASE) != 0;
  }

  public boolean ignoresAccents() {
    return (info & IGNORE_ACCENT) != 0;
  }

  /** Windows' number of the code page, as COLLATIONPROPERTY tells it; 65001 is UTF-8. */
  public int codePage() {
    return switch (charset.name()) {
      case "UTF-8" -> 65001;
      case "GBK" -> 936;
      case "windows-31j" -> 932;
      default -> Integer.parseInt(charset.name().replaceAll("\\D", ""));
    };
  }

  /** The language's two letters, for its order; empty where no language has its own. */
  public String language() {
    return switch (info & 0xFFFF) {
      case 0x0408 -> "el";
      case 0x041F -> "tr";
      default -> "";
    };
  }

  private static Language language(String key) {
    if (key.startsWith("sql_")) {
      return SQL_CODE_PAGES.entrySet().stream()
          .filter(page -> key.contains("_" + page.getKey()))
          .map(page -> LANGUAGES.get(page.getValue()))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("Unknown collation " + key));
    }
    return LANGUAGES.entrySet().stream()
        .filter(language -> key.startsWith(language.getKey() + "_"))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("Unknown collation " + key));
  }

  private static int flags(String key) {
    if (key.contains("_bin2")) {
      return BINARY2;
    }
    if (key.contains("_bin")) {
      return BINARY;
    }
    return (key.contains("_cs") ? 0 : IGNORE_CASE)
        | (key.contains("_ai") ? IGNORE_ACCENT : 0)
        | (key.contains("_ks") ? 0 : IGNORE_KANA)
        | (key.contains("_ws") ? 0 : IGNORE_WIDTH);
  }

  private static int version(String key) {
    if (key.contains("_140_")) {
      return 3;
    }
    if (key.contains("_100_")) {
      return 2;
    }
    return key.contains("_90_") ? 1 : 0;
  }
}
