package io.github.mssqlcdc.testkit.sqlserver.cdc;

import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.ORDERS;
import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.inserted;
import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CaptureConcurrencyTest {
  private static final int COMMITS = 400;
  private final ExecutorService threads = Executors.newFixedThreadPool(4);
  private final CdcFixture fixture = new CdcFixture().enable("orders");

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void everyCommitIsCapturedOnceInCommitOrderWhileInstancesComeAndGo() {
    AtomicInteger lastId = new AtomicInteger();
    List<CompletableFuture<Void>> work = new ArrayList<>();
    for (int writer = 0; writer < 2; writer++) {
      work.add(CompletableFuture.runAsync(() -> write(lastId), threads));
    }
    work.add(CompletableFuture.runAsync(this::captureOften, threads));
    work.add(CompletableFuture.runAsync(this::enableAndDisable, threads));
    work.forEach(CompletableFuture::join);
    fixture.cdc.capture();

    List<List<Object>> expected = new ArrayList<>();
    for (int id = 1; id <= 2 * COMMITS; id++) {
      expected.add(asList(id, "x"));
    }
    assertThat(fixture.changes("dbo_orders", "id, name")).isEqualTo(expected);
    assertThat(
            fixture.query(
                "SELECT COUNT(*) FROM cdc.dbo_orders_CT c JOIN cdc.lsn_time_mapping m"
                    + " ON m.start_lsn = c.__$start_lsn"))
        .containsExactly(List.of(2L * COMMITS));
  }

  private void write(AtomicInteger lastId) {
    for (int i = 0; i < COMMITS; i++) {
      synchronized (lastId) {
        fixture.commit(inserted(ORDERS, 1, lastId.incrementAndGet(), "x"));
      }
    }
  }

  private void captureOften() {
    for (int i = 0; i < 60; i++) {
      fixture.cdc.capture(7);
    }
  }

  private void enableAndDisable() {
    for (int i = 0; i < 10; i++) {
      fixture.enableUnseen("orders", "@capture_instance", "second");
      try {
        fixture.exec(
            "sp_cdc_disable_table",
            "@source_schema",
            "dbo",
            "@source_name",
            "orders",
            "@capture_instance",
            "second");
      } catch (SqlServerError e) {
        throw new AssertionError(e);
      }
    }
  }
}
