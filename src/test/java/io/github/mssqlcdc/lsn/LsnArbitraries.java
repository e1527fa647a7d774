package io.github.mssqlcdc.lsn;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** LSNs with many at the carries and around the sign bits. */
public final class LsnArbitraries {
  private LsnArbitraries() {}

  public static Arbitrary<Lsn> lsns() {
    Arbitrary<Long> high =
        Arbitraries.longs()
            .edgeCases(edges -> edges.add(0L, 1L, -1L, -2L, Long.MIN_VALUE, Long.MAX_VALUE));
    Arbitrary<Integer> low =
        Arbitraries.integers()
            .between(0, 0xFFFF)
            .edgeCases(edges -> edges.add(0, 1, 0x7FFF, 0x8000));
    return Combinators.combine(high, low).as(Lsn::new);
  }

  /** LSNs of which few differ, so that equal ones meet. */
  public static Arbitrary<Lsn> few() {
    return Arbitraries.integers().between(1, 3).map(low -> new Lsn(0, low));
  }
}
