package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorNumbersTest {
  @ParameterizedTest
  @ValueSource(
      ints = {1205, 1222, 3961, 40613, 49920, 10054, 233, 3960, 976, 983, 4221, 596, 952, 6005})
  void theseMayPass(int number) {
    assertThat(ErrorNumbers.mayPass(new SQLException("", "S0001", number))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 102, 207, 208, 229, 313, 18456, 4060, 3952, 22901})
  void theseStay(int number) {
    assertThat(ErrorNumbers.mayPass(new SQLException("", "S0001", number))).isFalse();
  }

  @Test
  void aBrokenConnectionMayPassButNotARefusedLogin() {
    assertThat(ErrorNumbers.mayPass(new SQLException("reset", "08S01", 0))).isTrue();
    assertThat(ErrorNumbers.mayPass(new SQLException("refused", "08001", 18456))).isFalse();
  }

  @Test
  void aBrokenConnectionIsKnownBehindWhatAGetterThrows() {
    SQLException broken = new SQLException("closed", "08S01", 0);
    SQLException getters = new SQLException("incomplete", null, 0, new IOException(broken));
    assertThat(ErrorNumbers.mayPass(getters)).isTrue();
    assertThat(ErrorNumbers.mayPass(new SQLException("x", null, 0, new IOException()))).isFalse();
  }
}
