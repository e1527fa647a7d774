package io.github.mssqlcdc.drill;

import io.github.mssqlcdc.backfilldemo.BackfillDrill;

/**
 * Runs what {@code -Ddrill.what} names, in its order, commas between: {@code backfill}, {@code
 * histories}, {@code silver}. {@code -Ddrill.count} says how often, {@code -Ddrill.seed} with which
 * randomness.
 */
public final class Drill {
  private static final int KILLS = 20;
  private static final int LIVES = 200;

  private Drill() {}

  public static void main(String[] args) throws Exception {
    long seed = Long.getLong("drill.seed", 1);
    for (String what : System.getProperty("drill.what", "backfill").split(",")) {
      switch (what.strip()) {
        case "backfill" -> BackfillDrill.run(Integer.getInteger("drill.count", KILLS), seed);
        case "histories" -> new LifeDrill(LifeDrill.Judged.BRONZE).run(count(), seed);
        case "silver" -> new LifeDrill(LifeDrill.Judged.SILVER).run(count(), seed);
        default ->
            throw new IllegalArgumentException(
                "Unknown drill.what '" + what + "': backfill, histories and silver are there");
      }
    }
    System.exit(0);
  }

  private static int count() {
    return Integer.getInteger("drill.count", LIVES);
  }
}
