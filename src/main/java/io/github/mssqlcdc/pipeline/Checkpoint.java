package io.github.mssqlcdc.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.mssqlcdc.delta.table.StoredJson;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.snapshot.Generation;
import io.github.mssqlcdc.source.stream.CheckpointStartLog;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A query's checkpoint, as far as its owner looks into it. */
final class Checkpoint {
  private static final String OFFSETS = "offsets";
  private static final String COMMITS = "commits";
  private static final String GENERATIONS = "_generations";
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

  /** A JSON file of ours beside Spark's; empty if there is none, or a crash has torn it. */
  Optional<JsonNode> json(String name) {
    Path path = new Path(location, name);
    try (InputStream in = path.getFileSystem(hadoop).open(path)) {
      return StoredJson.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("Failed to read " + path, e);
    }
  }

  /** Keeps such a file, over one that is there. */
  void keep(String name, Map<String, ?> json) {
    Path path = new Path(location, name);
    try (OutputStream out = path.getFileSystem(hadoop).create(path, true)) {
      out.write((StoredJson.write(json) + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("Failed to write " + path, e);
    }
  }

  /** The checkpoint of a later generation, inside this one; of the first, this one. */
  Checkpoint of(Generation generation) {
    return generation.number() == 0
        ? this
        : new Checkpoint(
            new Path(new Path(location, GENERATIONS), Integer.toString(generation.number()))
                .toString(),
            hadoop);
  }

  /** The highest generation that has a checkpoint in this one. */
  int latestGeneration() {
    return Math.toIntExact(highest(GENERATIONS).orElse(0));
  }

  /** The highest batch that was planned; empty for a new checkpoint. */
  OptionalLong latestBatch() {
    return highest(OFFSETS);
  }

  /**
   * Up to where the stream has read: the end of the last batch that is done, or the start of the
   * first one; empty for a new checkpoint.
   *
   * @param held highest batch that its tables hold; -1 for none
   */
  Optional<Offset> position(long held) {
    long planned = latestBatch().orElse(-1);
    long done = Math.max(highest(COMMITS).orElse(-1), Math.min(held, planned));
    if (done >= 0) {
      return endOf(done);
    }
    return planned < 0 ? Optional.empty() : start();
  }

  /** Where the stream's changes begin, by the file that the source keeps its start in. */
  Optional<Offset> start() {
    Path starts = new Path(new Path(location, "sources"), "*/" + CheckpointStartLog.FILE);
    try {
      FileSystem files = starts.getFileSystem(hadoop);
      FileStatus[] found = files.globStatus(starts);
      return found.length == 0
          ? Optional.empty()
          : Optional.of(CheckpointStartLog.read(files, found[0].getPath()));
    } catch (IOException e) {
      throw new UncheckedIOException("Failed to read the stream's start in " + starts, e);
    }
  }

  private OptionalLong highest(String folder) {
    Path offsets = new Path(location, folder);
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

  /**
   * The end of a batch, as Spark's offset log has it: in version 1 a line of JSON for the only
   * source, in version 2 behind the source's name and a colon.
   *
   * @return empty if the log doesn't have the batch any more
   * @throws InvalidRequestException if the log is of another version
   */
  Optional<Offset> endOf(long batch) {
    Path file = new Path(new Path(location, OFFSETS), Long.toString(batch));
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(file.getFileSystem(hadoop).open(file), StandardCharsets.UTF_8))) {
      String version = lines.readLine();
      String unused = lines.readLine();
      String line = lines.readLine();
      if (line == null || line.equals("-")) {
        return Optional.empty();
      }
      if ("v1".equals(version)) {
        return Optional.of(Offset.parse(line));
      }
      if ("v2".equals(version)) {
        return Optional.of(Offset.parse(line.substring(line.indexOf(':') + 1)));
      }
      throw new InvalidRequestException(
          ErrorCode.INVALID_OFFSET,
          "Unknown version '"
              + version
              + "' of the offset log in "
              + file
              + ": Spark's versions v1 and v2 can be read. Go on with the release of Spark and of"
              + " this library that wrote it, or start with a new checkpoint and appId");
    } catch (FileNotFoundException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("Failed to read the checkpoint's " + file, e);
    }
  }
}
