package io.github.mssqlcdc.soak;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * What the process holds at a time.
 *
 * @param heapMb in use after a collection
 * @param threads but for those that idle in a pool which lets them go: Spark's come and go by the
 *     hundred
 * @param connections of the library's on the server
 */
record Sample(long heapMb, long threads, long connections) {
  /** The first ones are of a process that still warms up. */
  private static final int WARM_UP = 2;

  private static final int FEWEST = 6;
  private static final int FRAMES = 16;

  static Sample take(long connections) {
    System.gc();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
    ThreadMXBean all = ManagementFactory.getThreadMXBean();
    long threads =
        Stream.of(all.getThreadInfo(all.getAllThreadIds(), FRAMES))
            .filter(thread -> thread != null && !isIdle(thread))
            .count();
    return new Sample(heap, threads, connections);
  }

  private static boolean isIdle(ThreadInfo thread) {
    return thread.getThreadState() == Thread.State.TIMED_WAITING
        && Stream.of(thread.getStackTrace())
            .anyMatch(
                frame ->
                    frame.getClassName().equals(ThreadPoolExecutor.class.getName())
                        && frame.getMethodName().equals("getTask"));
  }

  /**
   * What has grown: where the mean of the last third of the samples is above that of the first by
   * more than chance explains.
   */
  static List<String> growth(List<Sample> samples) {
    List<String> grown = new ArrayList<>();
    List<Sample> warm = samples.subList(Math.min(WARM_UP, samples.size()), samples.size());
    if (warm.size() >= FEWEST) {
      judge("heap in MB", warm, Sample::heapMb, 32, grown);
      judge("threads", warm, Sample::threads, 8, grown);
      judge("connections", warm, Sample::connections, 1, grown);
    }
    return grown;
  }

  private static void judge(
      String what,
      List<Sample> samples,
      ToLongFunction<Sample> value,
      long slack,
      List<String> grown) {
    int third = samples.size() / 3;
    double first = mean(samples.subList(0, third), value);
    double last = mean(samples.subList(samples.size() - third, samples.size()), value);
    if (last > first * 1.1 + slack) {
      grown.add("%s grew from %.0f to %.0f".formatted(what, first, last));
    }
  }

  private static double mean(List<Sample> samples, ToLongFunction<Sample> value) {
    return samples.stream().mapToLong(value).average().orElseThrow();
  }
}
