package io.github.mssqlcdc.source;

import static io.github.mssqlcdc.testkit.source.FakeSqlServer.lsn;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.testkit.source.FakeSqlServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stream whose changes cleanup takes away, before it reads them or meanwhile. */
@Tag("spark")
class StreamDataLossTest {
  private final FakeSqlServer server = new FakeSqlServer();
  private final Batches batches = new Batches();

  @SuppressWarnings("NullAway.Init")
  private FakeStream stream;

  @BeforeEach
  void register(@TempDir Path folder) {
    stream = FakeStream.of(server, folder, batches);
  }

  @AfterEach
  void forget() {
    stream.close();
  }

  @Test
  void failsInEachRunWhenCleanupHasPassedThePosition() throws Exception {
    server.insert(1);
    stream.run(batches);
    server.insert(2);
    server.insert(3);
    server.purge(lsn(12));

    for (int run = 0; run < 2; run++) {
      assertThat(stream.runQuietly(batches))
          .hasRootCauseInstanceOf(DataLossException.class)
          .rootCause()
          .hasMessageContaining(lsn(10).next().toString())
          .hasMessageContaining(lsn(12).toString());
    }
    assertThat(batches.ids).containsExactly(List.of(1));
  }

  @Test
  void failsWhenCleanupPassesTheRangeWhileItIsRead() {
    server.insert(1);
    server.insert(2);
    server.beforeTail(() -> server.purge(lsn(11)));

    assertThat(stream.runQuietly(batches)).hasRootCauseInstanceOf(DataLossException.class);
    assertThat(batches.ids).isEmpty();
  }

  @Test
  void goesOnWithWhatIsLeftOnRequest() throws Exception {
    stream.options().put("failOnDataLoss", "false");
    for (int id = 0; id < 10; id++) {
      server.insert(id);
    }
    stream.options().put("startingLsn", lsn(10).previous().toString());
    server.purge(lsn(16));

    stream.run(batches);

    assertThat(batches.ids).containsExactly(List.of(6, 7, 8, 9));
    assertThat(stream.ledgerBatch().skips()).hasSize(1);
  }

  @Test
  void tellsOfAReadThatCleanupOvertookOnceHoweverOftenItIsRead() throws Exception {
    stream.options().put("failOnDataLoss", "false");
    server.insert(1);
    server.insert(2);
    server.beforeTail(() -> server.purge(lsn(11)));

    stream.run(
        (batch, id) -> {
          batch.count();
          batch.count();
        });

    assertThat(stream.ledgerBatch().skips())
        .singleElement()
        .satisfies(
            skip -> {
              assertThat(skip.from()).isEqualTo(lsn(10));
              assertThat(skip.to()).isEqualTo(lsn(11));
              assertThat(skip.doubt()).contains("rows may be missing");
            });
  }
}
