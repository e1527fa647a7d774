package io.github.mssqlcdc.lsn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ChangePositionProperties {
  @Property
  void theOrderIsTotal(
      @ForAll("positions") ChangePosition a,
      @ForAll("positions") ChangePosition b,
      @ForAll("positions") ChangePosition c) {
    assertThat(Integer.signum(a.compareTo(b))).isEqualTo(-Integer.signum(b.compareTo(a)));
    assertThat(a.compareTo(b) == 0).isEqualTo(a.equals(b));
    if (a.compareTo(b) <= 0 && b.compareTo(c) <= 0) {
      assertThat(a).isLessThanOrEqualTo(c);
    }
  }

  @Example
  void commitStatementPlaceAndOperationCountInThisOrder() {
    Lsn one = new Lsn(0, 1);
    Lsn two = new Lsn(0, 2);
    List<ChangePosition> ordered =
        List.of(
            new ChangePosition(one, null, two, 4),
            new ChangePosition(one, 1, two, 2),
            new ChangePosition(one, 2, one, 3),
            new ChangePosition(one, 2, one, 4),
            new ChangePosition(one, 2, two, 1),
            new ChangePosition(two, null, one, 1));

    assertThat(ordered).isSorted();
  }

  @Provide
  Arbitrary<ChangePosition> positions() {
    Arbitrary<Integer> commandIds = Arbitraries.integers().between(0, 2).injectNull(0.3);
    Arbitrary<Integer> operations = Arbitraries.integers().between(1, 4);
    return Combinators.combine(LsnArbitraries.few(), commandIds, LsnArbitraries.few(), operations)
        .as(ChangePosition::new);
  }
}
