package io.github.mssqlcdc.testkit.sqlserver.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LsnTest {

  @Test
  void positionsOnlyGrowThroughBlocksAndFiles() {
    LsnAllocator lsns = new LsnAllocator();
    LogLsn last = lsns.next();
    int files = 0;
    for (int i = 0; i < 20_000; i++) {
      LogLsn next = i % 7 == 0 ? lsns.commit() : lsns.next();
      assertThat(next).isGreaterThan(last);
      assertThat(HexFormat.of().formatHex(next.bytes()))
          .isGreaterThan(HexFormat.of().formatHex(last.bytes()));
      files += next.file() == last.file() ? 0 : 1;
      last = next;
    }
    assertThat(files).isPositive();
  }

  @Test
  void positionIsTenBytesOfFileBlockAndSlot() {
    LogLsn lsn = new LogLsn(0x26, 0x5f0, 3);
    assertThat(HexFormat.of().formatHex(lsn.bytes())).isEqualTo("00000026000005f00003");
    assertThat(lsn).hasToString("00000026:000005f0:0003");
  }

  @ParameterizedTest
  @CsvSource({
    "00000026000005f00003, 00000026000005f00004, 00000026000005f00002",
    "00000026000005f0ffff, 00000026000005f10000, 00000026000005f0fffe",
    "00000026ffffffffffff, 00000027000000000000, 00000026fffffffffffe",
    "00000027000000000000, 00000027000000000001, 00000026ffffffffffff",
    "80000000000000000000, 80000000000000000001, 7fffffffffffffffffff"
  })
  void incrementAndDecrementLeaveNothingBetween(String lsn, String next, String previous) {
    byte[] bytes = HexFormat.of().parseHex(lsn);
    assertThat(CdcFunctions.increment(bytes)).isEqualTo(HexFormat.of().parseHex(next));
    assertThat(CdcFunctions.decrement(bytes)).isEqualTo(HexFormat.of().parseHex(previous));
  }

  @Test
  void incrementOfNullIsNull() {
    assertThat(CdcFunctions.increment(null)).isNull();
    assertThat(CdcFunctions.decrement(null)).isNull();
  }
}
