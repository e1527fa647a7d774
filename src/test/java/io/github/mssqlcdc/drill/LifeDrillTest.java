package io.github.mssqlcdc.drill;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A life of the drill, so that it works when it is wanted. */
@Tag("spark")
final class LifeDrillTest {
  @Test
  void aLifeEndsWithTheSourceInBronzeAndSilver() {
    new LifeDrill(LifeDrill.Judged.SILVER)
        .run(Integer.getInteger("drill.count", 1), Long.getLong("drill.seed", 1));
  }
}
