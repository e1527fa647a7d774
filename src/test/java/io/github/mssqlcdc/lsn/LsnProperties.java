package io.github.mssqlcdc.lsn;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Locale;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class LsnProperties {
  private static final BigInteger HIGHEST = BigInteger.ONE.shiftLeft(80).subtract(BigInteger.ONE);

  @Property
  void orderIsThatOfTheUnsignedBytes(@ForAll("lsns") Lsn a, @ForAll("lsns") Lsn b) {
    assertThat(sign(a.compareTo(b))).isEqualTo(sign(Arrays.compareUnsigned(a.bytes(), b.bytes())));
  }

  @Property
  void orderIsThatOfTheText(@ForAll("lsns") Lsn a, @ForAll("lsns") Lsn b) {
    assertThat(sign(a.compareTo(b))).isEqualTo(sign(a.toString().compareTo(b.toString())));
  }

  @Property
  void orderAgreesWithEquality(@ForAll("lsns") Lsn a, @ForAll("lsns") Lsn b) {
    assertThat(a.compareTo(b) == 0).isEqualTo(a.equals(b));
    assertThat(a.isAfter(b)).isEqualTo(b.isBefore(a));
    assertThat(Lsn.max(a, b)).isEqualTo(a.isBefore(b) ? b : a);
  }

  @Property
  void nothingStandsBetweenNeighbours(@ForAll("lsns") Lsn lsn) {
    BigInteger number = number(lsn);

    assertThat(number(lsn.next())).isEqualTo(number.add(BigInteger.ONE).min(HIGHEST));
    assertThat(number(lsn.previous()))
        .isEqualTo(number.subtract(BigInteger.ONE).max(BigInteger.ZERO));
  }

  @Property
  void bytesNumberAndTextLeadBack(@ForAll("lsns") Lsn lsn) {
    assertThat(Lsn.of(lsn.bytes())).isEqualTo(lsn);
    assertThat(Lsn.of(number(lsn))).isEqualTo(lsn);
    assertThat(Lsn.parse(lsn.toString())).isEqualTo(lsn);
    assertThat(Lsn.parse(" " + lsn.toString().substring(2).toLowerCase(Locale.ROOT) + "\t"))
        .isEqualTo(lsn);
    assertThat(Lsn.parse(number(lsn).toString(16))).isEqualTo(lsn);
  }

  @Property
  void theTextIsCanonical(@ForAll("lsns") Lsn lsn) {
    assertThat(lsn.toString()).matches("0x[0-9A-F]{20}");
  }

  @Provide
  static Arbitrary<Lsn> lsns() {
    return LsnArbitraries.lsns();
  }

  private static BigInteger number(Lsn lsn) {
    return new BigInteger(1, lsn.bytes());
  }

  private static int sign(int comparison) {
    return Integer.signum(comparison);
  }
}
