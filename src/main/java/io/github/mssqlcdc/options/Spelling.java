package io.github.mssqlcdc.options;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Guesses what a misspelt name was meant to be. */
public final class Spelling {
  private Spelling() {}

  /** The known name that takes the fewest edits, ignoring case. */
  public static String nearest(String name, Collection<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(candidate -> distance(candidate, name)))
        .orElseThrow();
  }

  /** Levenshtein distance, ignoring case. */
  static int distance(String left, String right) {
    String a = left.toLowerCase(Locale.ROOT);
    String b = right.toLowerCase(Locale.ROOT);
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
