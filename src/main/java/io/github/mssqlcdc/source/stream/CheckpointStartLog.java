package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.offset.Offset;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The start in the folder that Spark gives each source in the query's checkpoint, as the offset's
 * JSON. A file that a crash left torn is never read: Spark plans a batch only after it is written.
 */
public final class CheckpointStartLog implements StartLog {
  /** The file's name. */
  public static final String FILE = "mssql_cdc_start";

  private static final String OFFSETS = "offsets";

  private final Path folder;
  private final Configuration hadoop;

  /**
   * @param folder the source's own, {@code <checkpoint>/sources/<source>}
   */
  CheckpointStartLog(String folder, Configuration hadoop) {
    this.folder = new Path(folder);
    this.hadoop = hadoop;
  }

  @Override
  public Optional<Offset> ofPlanned() {
    Path file = new Path(folder, FILE);
    try {
      FileSystem files = folder.getFileSystem(hadoop);
      if (!isPlanned(files) || !files.exists(file)) {
        return Optional.empty();
      }
      return Optional.of(read(files, file));
    } catch (IOException e) {
      throw new UncheckedIOException("Failed to read the stream's start in " + file, e);
    }
  }

  /** The start that such a file has. */
  public static Offset read(FileSystem files, Path file) throws IOException {
    try (InputStream in = files.open(file)) {
      return Offset.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8).strip());
    }
  }

  private boolean isPlanned(FileSystem files) throws IOException {
    Path offsets = new Path(folder.getParent().getParent(), OFFSETS);
    return files.exists(new Path(offsets, "0"));
  }

  @Override
  public void keep(Offset start) {
    Path file = new Path(folder, FILE);
    try (OutputStream out = folder.getFileSystem(hadoop).create(file, true)) {
      out.write((start.json() + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("Failed to keep the stream's start in " + file, e);
    }
  }
}
