package io.github.mssqlcdc.soak;

import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.network.FaultProxy;
import io.github.mssqlcdc.testkit.process.JavaProcess;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * The server's side: a stand-in that captures by itself, writers, and faults from when it is told.
 * It answers a port behind a network that breaks, then its own, and, told to stop, what it has done
 * once all of that is captured.
 */
final class SoakServer {
  static final String DATABASE = "soak";
  static final String TROUBLE = "trouble";
  static final String STOP = "stop";

  private static final int WRITERS = 2;
  private static final int FIRST_KEY = 10_000;

  private static final int MEAN_FAULT_MS = 10_000;

  private final StandIn standIn = StandIn.start();
  private final FaultProxy network = new FaultProxy(standIn.port());
  private final StandInDatabase database = StandInDatabase.create(standIn, DATABASE);
  private final Random random;
  private final Faults faults;
  private final List<Writer> writers;
  private volatile boolean isCalm;

  private SoakServer(long seed) {
    this.random = new Random(seed);
    this.faults = new Faults(standIn, network, random.nextLong());
    database.run(
        Writer.TABLE,
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'accounts',"
            + " @role_name = NULL");
    AtomicInteger nextKey = new AtomicInteger(FIRST_KEY);
    this.writers =
        IntStream.range(0, WRITERS)
            .mapToObj(i -> new Writer(database::connect, nextKey, random.nextLong()))
            .toList();
    database.awaitCapture();
  }

  /**
   * @param args the seed of all that happens at random
   */
  public static void main(String[] args) throws Exception {
    SoakServer server = new SoakServer(Long.parseLong(args[0]));
    answer(String.valueOf(server.network.port()));
    answer(String.valueOf(server.standIn.port()));
    server.run(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
    System.exit(0); // with whatever is still running
  }

  private static void answer(String line) {
    System.out.println(JavaProcess.ANSWER + line);
  }

  private void run(BufferedReader commands) throws Exception {
    Thread trouble = new Thread(this::trouble, "trouble");
    List<Thread> threads = writers.stream().map(Thread::new).toList();
    threads.forEach(Thread::start);
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      if (line.equals(TROUBLE)) {
        trouble.start();
      } else if (line.equals(STOP)) {
        isCalm = true;
        trouble.join(); // a server that is down comes back first
        writers.forEach(Writer::stop);
        for (Thread thread : threads) {
          thread.join();
        }
        database.awaitCapture();
        int transactions = writers.stream().mapToInt(Writer::transactions).sum();
        answer(transactions + " transactions, faults: " + faults);
      }
    }
  }

  private void trouble() {
    try {
      while (!isCalm) {
        TimeUnit.MILLISECONDS.sleep(MEAN_FAULT_MS / 2 + random.nextInt(MEAN_FAULT_MS));
        faults.next();
        standIn.clearRequests();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
