package io.github.mssqlcdc.pipeline;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** A query's checkpoint, as far as its owner looks into it. */
final class Checkpoint {
  private static final Pattern BATCH = Pattern.compile("\\d+");

  private final String location;
  private final Configuration hadoop;

  Checkpoint(String location, Configuration hadoop) {
    this.location = location;
    this.hadoop = hadoop;
  }

  String location() {
    return location;
  }

  /** The highest batch that was planned; empty for a new checkpoint. */
  OptionalLong latestBatch() {
    Path offsets = new Path(location, "offsets");
    try {
      return Arrays.stream(offsets.getFileSystem(hadoop).listStatus(offsets))
          .map(file -> file.getPath().getName())
          .filter(name -> BATCH.matcher(name).matches())
          .mapToLong(Long::parseLong)
          .max();
    } catch (FileNotFoundException e) {
      return OptionalLong.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("Failed to open the checkpoint " + location, e);
    }
  }
}
