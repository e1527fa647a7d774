package io.github.mssqlcdc.snapshot;

import io.github.mssqlcdc.offset.Offset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A stream's life between two losses: each begins with a snapshot of its own, and has a checkpoint
 * and a sink id of its own.
 *
 * @param number 0 for the first
 * @param start S: where it begins; null for a first one without a snapshot
 * @param history history of the source that S belongs to
 */
public record Generation(int number, @Nullable Offset start, int history) {
  public static final Generation FIRST = new Generation(0, null, 0);

  private static final Pattern LATER = Pattern.compile(".*\\.g(\\d+)");

  /** The stream's id in its tables. */
  public String sinkId(String appId) {
    return sinkId(appId, number);
  }

  static String sinkId(String appId, int number) {
    return number == 0 ? appId : appId + ".g" + number;
  }

  static int numberOf(String sinkId) {
    Matcher later = LATER.matcher(sinkId);
    return later.matches() ? Integer.parseInt(later.group(1)) : 0;
  }
}
