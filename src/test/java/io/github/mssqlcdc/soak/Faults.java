package io.github.mssqlcdc.soak;

import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;

/** What goes wrong between the stream and its server, at random. One thread's own. */
final class Faults {
  private static final int MOST_DOWN_MS = 3_000;

  private final StandIn server;
  private final Random random;
  private final Map<Kind, Integer> done = new EnumMap<>(Kind.class);

  private enum Kind {
    CONNECTIONS_DROPPED,
    SERVER_RESTARTED
  }

  Faults(StandIn server, long seed) {
    this.server = server;
    this.random = new Random(seed);
  }

  /** One of them. */
  void next() throws InterruptedException {
    Kind kind = random.nextInt(4) == 0 ? Kind.SERVER_RESTARTED : Kind.CONNECTIONS_DROPPED;
    switch (kind) {
      case CONNECTIONS_DROPPED -> server.disconnectAll();
      case SERVER_RESTARTED -> server.restart(Duration.ofMillis(random.nextInt(MOST_DOWN_MS)));
    }
    done.merge(kind, 1, Integer::sum);
  }

  @Override
  public String toString() {
    return done.toString();
  }
}
