package io.github.mssqlcdc.testkit.sqlserver.engine.value;

import com.ibm.icu.text.Collator;
import com.ibm.icu.util.ULocale;
import io.github.mssqlcdc.registry.JvmRegistry;
import io.github.mssqlcdc.testkit.sqlserver.backend.Collation;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a collation compares: by sort keys, trailing blanks aside. Binary collations go by UTF-16
 * units, others by the Unicode algorithm as tailored for the language, which agrees with Windows'
 * tables on letters and digits, not on every sign. Thread-safe.
 */
public final class TextOrder {
  private final Collation collation;
  private final @Nullable Collator collator;

  private TextOrder(Collation collation) {
    this.collation = collation;
    this.collator = collation.isBinary() ? null : collator(collation);
  }

  /**
   * @throws IllegalArgumentException if there is no such collation
   */
  public static TextOrder of(String collation) {
    return JvmRegistry.shared(
        TextOrder.class,
        collation.toLowerCase(Locale.ROOT),
        () -> new TextOrder(Collation.named(collation)));
  }

  /** As {@link #of}, of a name in a statement. */
  public static TextOrder require(String collation) throws SqlServerError {
    try {
      return of(collation);
    } catch (IllegalArgumentException e) {
      throw new SqlServerError(448, 16, 3, "Invalid collation '" + collation + "'.");
    }
  }

  private static Collator collator(Collation collation) {
    Collator collator = Collator.getInstance(new ULocale(collation.language()));
    int strength = collation.ignoresAccents() ? Collator.PRIMARY : Collator.SECONDARY;
    collator.setStrength(collation.ignoresCase() ? strength : Collator.TERTIARY);
    return collator.freeze();
  }

  public Collation collation() {
    return collation;
  }

  /** Bytes that compare as the texts do. */
  public byte[] key(String text) {
    String bare = withoutTrailingBlanks(text);
    return collator == null
        ? bare.getBytes(StandardCharsets.UTF_16BE)
        : collator.getCollationKey(bare).toByteArray();
  }

  public boolean same(String a, String b) {
    if (a.equals(b)) {
      return true;
    }
    String left = withoutTrailingBlanks(a);
    String right = withoutTrailingBlanks(b);
    return collator == null ? left.equals(right) : collator.compare(left, right) == 0;
  }

  /** The text as its code page keeps it: what isn't in it becomes a question mark. */
  public String inCodePage(String text) {
    return new String(text.getBytes(collation.charset()), collation.charset());
  }

  private static String withoutTrailingBlanks(String text) {
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == ' ') {
      end--;
    }
    return text.substring(0, end);
  }
}
