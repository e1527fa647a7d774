package io.github.mssqlcdc.benchmark;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;

/** Measures work by the clock and by the processor time of the threads that do it. */
final class Meter {
  private static final double NANOS = 1e9;

  private Meter() {}

  /** Any work. */
  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }

  /** Work that Spark does: the processor time is that of its tasks. */
  static Cost tasks(SparkSession spark, Work work) throws Exception {
    AtomicLong cpu = new AtomicLong();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onTaskEnd(SparkListenerTaskEnd end) {
            cpu.addAndGet(end.taskMetrics().executorCpuTime());
          }
        };
    spark.sparkContext().addSparkListener(listener);
    try {
      double wall = wall(work);
      spark.sparkContext().listenerBus().waitUntilEmpty();
      return new Cost(wall, cpu.get() / NANOS);
    } finally {
      spark.sparkContext().removeSparkListener(listener);
    }
  }

  /** Work in a thread for each part: the processor time is that of these threads. */
  static Cost threads(List<? extends Work> parts) throws Exception {
    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    List<Callable<Long>> calls = new ArrayList<>();
    for (Work part : parts) {
      calls.add(
          () -> {
            long before = clock.getCurrentThreadCpuTime();
            part.run();
            return clock.getCurrentThreadCpuTime() - before;
          });
    }
    ExecutorService threads = Executors.newFixedThreadPool(parts.size());
    try {
      AtomicLong cpu = new AtomicLong();
      double wall =
          wall(
              () -> {
                for (Future<Long> part : threads.invokeAll(calls)) {
                  cpu.addAndGet(part.get());
                }
              });
      return new Cost(wall, cpu.get() / NANOS);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Work of any threads: the processor time is the whole JVM's. */
  static Cost process(Work work) throws Exception {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long before = system.getProcessCpuTime();
    double wall = wall(work);
    return new Cost(wall, (system.getProcessCpuTime() - before) / NANOS);
  }

  private static double wall(Work work) throws Exception {
    long before = System.nanoTime();
    work.run();
    return (System.nanoTime() - before) / NANOS;
  }
}
