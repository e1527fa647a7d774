package io.github.mssqlcdc.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.registry.JvmRegistry;
import io.github.mssqlcdc.testkit.source.FakeSqlServer;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("spark")
class StreamPartitionsTest {
  private final String name = "fake_" + UUID.randomUUID();
  private final FakeSqlServer server = new FakeSqlServer();

  @AfterEach
  void forget() {
    JvmRegistry.remove(FakeSqlServer.class, name);
  }

  @Test
  void plansAsManyRangesAsTheDefaultParallelismUnlessTold(@TempDir Path folder) throws Exception {
    JvmRegistry.shared(FakeSqlServer.class, name, () -> server);
    Map<String, String> options =
        new HashMap<>(
            Map.of("url", "jdbc:sqlserver://fake;databaseName=fake", "captureInstance", name));

    server.insert(1);
    run(options, folder);
    options.put("numPartitions", "3");
    server.insert(2);
    run(options, folder);

    assertThat(server.tiles())
        .containsExactly(TestSession.get().sparkContext().defaultParallelism(), 3);
  }

  private static void run(Map<String, String> options, Path folder) throws Exception {
    StreamingQuery query =
        TestSession.get()
            .readStream()
            .format(FakeStreamProvider.class.getName())
            .options(options)
            .load()
            .writeStream()
            .format("noop")
            .option("checkpointLocation", folder.toUri().toString())
            .trigger(Trigger.AvailableNow())
            .start();
    query.awaitTermination();
  }
}
