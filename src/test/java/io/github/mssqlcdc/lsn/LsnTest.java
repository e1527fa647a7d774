package io.github.mssqlcdc.lsn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LsnTest {
  private static final Lsn HIGHEST = Lsn.parse("0xFFFFFFFFFFFFFFFFFFFF");

  @ParameterizedTest
  @CsvSource({
    "00000026000005F00003,00000026000005F00004,00000026000005F00002",
    "00000026000005F0FFFF,00000026000005F10000,00000026000005F0FFFE",
    "00000026FFFFFFFFFFFF,00000027000000000000,00000026FFFFFFFFFFFE",
    "00000027000000000000,00000027000000000001,00000026FFFFFFFFFFFF"
  })
  void neighboursCarry(String lsn, String next, String previous) {
    assertThat(Lsn.parse(lsn).next()).isEqualTo(Lsn.parse(next));
    assertThat(Lsn.parse(lsn).previous()).isEqualTo(Lsn.parse(previous));
  }

  @Test
  void theEndsAreTheirOwnNeighbours() {
    assertThat(Lsn.ZERO.previous()).isEqualTo(Lsn.ZERO);
    assertThat(HIGHEST.next()).isEqualTo(HIGHEST);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0x0000002C000005F00003",
        "0x0000002c000005f00003",
        "0X2C000005F00003",
        "  2c000005f00003 "
      })
  void anyCommonSpellingIsRead(String text) {
    assertThat(Lsn.parse(text).toString()).isEqualTo("0x0000002C000005F00003");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0x", "latest", "0x00G0", "0x0000002C000005F0000300", "-1"})
  void otherTextIsRefused(String text) {
    assertThatThrownBy(() -> Lsn.parse(text))
        .isInstanceOfSatisfying(
            InvalidRequestException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_LSN))
        .hasMessageStartingWith("Invalid LSN '" + text + "': expected 0x and up to 20 hex digits");
  }

  @Test
  void onlyTenBytesAreAnLsn() {
    assertThatThrownBy(() -> Lsn.of(new byte[9]))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("Invalid LSN '000000000000000000'");
  }

  @Test
  void onlyNumbersOfEightyBitsAreAnLsn() {
    assertThatThrownBy(() -> Lsn.of(BigInteger.valueOf(-1)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'-1'");
    assertThatThrownBy(() -> Lsn.of(BigInteger.ONE.shiftLeft(80)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'1208925819614629174706176'");
    assertThat(Lsn.of(BigInteger.ONE.shiftLeft(80).subtract(BigInteger.ONE))).isEqualTo(HIGHEST);
  }

  @Test
  void theLowPartHasSixteenBits() {
    assertThatThrownBy(() -> new Lsn(0, 0x10000)).isInstanceOf(InvalidRequestException.class);
    assertThatThrownBy(() -> new Lsn(0, -1)).isInstanceOf(InvalidRequestException.class);
  }
}
