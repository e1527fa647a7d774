package io.github.mssqlcdc.testkit.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Lets a process die as far as the disk can tell: from one file operation on, nothing that the
 * shared session writes below a folder comes through. Close it, and it is as after a restart. There
 * may be several at a time, of folders of their own.
 */
public final class DiskFaults implements AutoCloseable {
  /** Hadoop makes the file systems, so they can't be handed them. */
  private static final Set<DiskFaults> ACTIVE = ConcurrentHashMap.newKeySet();

  private static final String DEAD = "The process is dead";

  private final String folder;
  private final int last;
  private final AtomicInteger operations = new AtomicInteger();

  private DiskFaults(String folder, int last) {
    this.folder = folder + "/";
    this.last = last;
  }

  /**
   * @param folder below which files are written
   * @param last how many files are still created, renamed or deleted; their checksums don't count
   */
  public static DiskFaults after(int last, java.nio.file.Path folder) {
    requireSeen(folder);
    DiskFaults faults = new DiskFaults(folder.toString(), last);
    ACTIVE.add(faults);
    return faults;
  }

  /**
   * Whether work dies, its process writing no more files than these. It may also come through, or
   * fail later than it was struck; of another failure the caller's test fails.
   */
  public static boolean kill(int last, java.nio.file.Path folder, Runnable work) {
    try (DiskFaults faults = after(last, folder)) {
      try {
        work.run();
      } catch (Exception e) { // Spark throws checked exceptions undeclared
        assertThat(e).hasStackTraceContaining(DEAD);
      }
      return faults.hasStruck();
    }
  }

  /** Of a file system that isn't ours nothing would be counted, and no crash be tested. */
  private static void requireSeen(java.nio.file.Path folder) {
    try {
      FileSystem files =
          new Path(folder.toUri())
              .getFileSystem(TestSession.get().sparkContext().hadoopConfiguration());
      if (!(files instanceof NoForkFileSystem)) {
        throw new IllegalStateException("Files are written by " + files.getClass());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether an operation has been refused. */
  public boolean hasStruck() {
    return operations.get() > last;
  }

  static void before(Path path) throws IOException {
    for (DiskFaults faults : ACTIVE) {
      if (path.toUri().getPath().startsWith(faults.folder)) {
        faults.count(path);
      }
    }
  }

  private void count(Path path) throws IOException {
    boolean counts = !path.getName().startsWith(".") || !path.getName().endsWith(".crc");
    int operation = counts ? operations.incrementAndGet() : operations.get();
    if (operation > last) {
      throw new IOException(DEAD + ": " + path);
    }
  }

  @Override
  public void close() {
    ACTIVE.remove(this);
  }
}
