package io.github.mssqlcdc.metric;

import io.github.mssqlcdc.lsn.Lsn;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a comparison of silver with its source has found.
 *
 * @param runId names the run in the report table
 * @param buckets how many there are
 * @param match buckets that are equal, by counts and sums or, where {@code hashed}, by all rows
 * @param inFlight buckets that differ by nothing but changes on their way
 * @param mismatch buckets that differ
 * @param hashed buckets whose rows were compared one by one
 * @param failures what is wrong, and what is on its way, at most {@link #MOST_FAILURES}
 * @param report the report table; null: none was asked for
 * @param sourceLsn max LSN after the source was read
 * @param silverLsn silver shows every change up to here; null: none yet
 * @param notes what a reader of the numbers has to know, for a person
 */
public record ReconcileResult(
    String runId,
    int buckets,
    int match,
    int inFlight,
    int mismatch,
    int hashed,
    List<ReconcileFailure> failures,
    @Nullable String report,
    @Nullable Lsn sourceLsn,
    @Nullable Lsn silverLsn,
    List<String> notes) {
  /** No more rows that differ are told one by one. */
  public static final int MOST_FAILURES = 100_000;

  private static final int SHOWN = 10;

  public ReconcileResult {
    failures = List.copyOf(failures);
    notes = List.copyOf(notes);
  }

  /**
   * Whether nothing is wrong: no bucket differs but by changes on their way, and no chunk. False,
   * too, where more rows differ than are told.
   */
  public boolean isClean() {
    return mismatch == 0
        && failures.size() < MOST_FAILURES
        && failures.stream().allMatch(failure -> failure.type() == ReconcileFailure.Type.IN_FLIGHT);
  }

  /**
   * The result in some lines for a person; it holds keys.
   *
   * <pre>{@code
   * System.out.println(result.summary());
   * }</pre>
   */
  public String summary() {
    StringBuilder text = new StringBuilder();
    text.append(isClean() ? "Silver matches the source" : "Silver DIFFERS from the source")
        .append(" (silver at ")
        .append(silverLsn == null ? "the beginning" : silverLsn)
        .append(", source read up to ")
        .append(sourceLsn == null ? "an unknown LSN" : sourceLsn)
        .append(")\n  buckets: ")
        .append(buckets)
        .append(", equal ")
        .append(match)
        .append(", with changes on their way ")
        .append(inFlight)
        .append(", different ")
        .append(mismatch)
        .append("; compared row by row ")
        .append(hashed);
    failures.stream()
        .collect(Collectors.groupingBy(ReconcileFailure::type, TreeMap::new, Collectors.toList()))
        .forEach(
            (type, found) -> {
              text.append("\n  ").append(type).append(": ").append(found.size());
              found.stream().limit(SHOWN).forEach(failure -> text.append(line(failure)));
              if (found.size() > SHOWN) {
                text.append("\n    … and ").append(found.size() - SHOWN).append(" more");
              }
            });
    notes.forEach(note -> text.append("\n  note: ").append(note));
    if (report != null) {
      text.append("\n  report: ").append(report).append(", run_id ").append(runId);
    }
    return text.toString();
  }

  private static String line(ReconcileFailure failure) {
    String what =
        failure.key() == null ? "keys from " + failure.lo() + " to " + failure.hi() : failure.key();
    return "\n    " + what + (failure.detail() == null ? "" : " " + failure.detail());
  }
}
