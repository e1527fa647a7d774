package io.github.mssqlcdc.facts;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.Column;

/**
 * The ids that a stream's rows stand under: the application's own, and one for each generation
 * after a re-snapshot. No application id that a caller gives ends like that of a generation.
 */
public final class SinkIds {
  private static final String GENERATION = ".g";
  private static final Pattern LATER = Pattern.compile(".*\\.g(\\d+)");

  private SinkIds() {}

  /** The id of a generation; 0 is the first, which has the application's. */
  public static String of(String appId, int generation) {
    return generation == 0 ? appId : appId + GENERATION + generation;
  }

  /** The generation that an id belongs to. */
  public static int generationOf(String sinkId) {
    Matcher later = LATER.matcher(sinkId);
    return later.matches() ? Integer.parseInt(later.group(1)) : 0;
  }

  /** Whether an id has the form of a later generation's. */
  public static boolean isLater(String id) {
    return LATER.matcher(id).matches();
  }

  /** Whether an id is one of this application, in any generation. */
  public static boolean isOf(String appId, String id) {
    return id.equals(appId)
        || isLater(id) && id.substring(0, id.lastIndexOf(GENERATION)).equals(appId);
  }

  /** Whether a column's value is an id of this application, in any generation. */
  static Column isOf(String appId, Column id) {
    String later = appId + GENERATION;
    return id.equalTo(appId)
        .or(
            id.startsWith(later)
                .and(id.substr(later.length() + 1, Integer.MAX_VALUE).rlike("^\\d+$")));
  }
}
