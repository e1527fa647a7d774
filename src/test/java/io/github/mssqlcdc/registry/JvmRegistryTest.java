package io.github.mssqlcdc.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.process.JavaProcess;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JvmRegistryTest {

  /** A process that shares what can be closed, and ends. */
  static final class Ending {
    private Ending() {}

    public static void main(String[] args) {
      JvmRegistry.shared(
          AutoCloseable.class, "pool", () -> () -> System.out.println(JavaProcess.ANSWER + "shut"));
    }
  }

  @Test
  void whatIsSharedIsClosedWhenTheProcessEnds() throws IOException {
    try (JavaProcess process = JavaProcess.start(Ending.class, "64m", List.of())) {
      assertThat(process.answer()).isEqualTo("shut");
    }
  }
}
