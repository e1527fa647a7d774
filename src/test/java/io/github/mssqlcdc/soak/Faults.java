package io.github.mssqlcdc.soak;

import io.github.mssqlcdc.testkit.network.Fault;
import io.github.mssqlcdc.testkit.network.FaultProxy;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** What goes wrong between the stream and its server, at random. One thread's own. */
final class Faults {
  private static final int MOST_BYTES = 100_000;
  private static final int MOST_MS = 3_000;

  private final StandIn server;
  private final FaultProxy network;
  private final Random random;
  private final Map<String, Integer> done = new TreeMap<>();

  Faults(StandIn server, FaultProxy network, long seed) {
    this.server = server;
    this.network = network;
    this.random = new Random(seed);
  }

  /** One of them. */
  void next() throws InterruptedException {
    long at = random.nextInt(MOST_BYTES);
    Duration pause = Duration.ofMillis(random.nextInt(MOST_MS));
    switch (random.nextInt(6)) {
      case 0 -> {
        server.disconnectAll();
        count("all connections dropped");
      }
      case 1 -> {
        server.restart(pause);
        count("server restarted");
      }
      case 2 -> set("cut", Fault.cut(at));
      case 3 -> set("reset", Fault.reset(at));
      case 4 -> set("delayed", Fault.delay(at, pause));
      default -> {
        set("stalled for a while, then cut", Fault.stall(at));
        TimeUnit.MILLISECONDS.sleep(pause.toMillis());
        network.heal();
      }
    }
  }

  private void set(String what, Fault fault) {
    network.set(random.nextBoolean() ? fault : fault.toServer());
    count(what);
  }

  private void count(String what) {
    done.merge(what, 1, Integer::sum);
  }

  @Override
  public String toString() {
    return done.toString();
  }
}
