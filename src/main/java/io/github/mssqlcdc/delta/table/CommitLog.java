package io.github.mssqlcdc.delta.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/** Reads single commits of a table's log, without a Spark job. Not thread-safe. */
final class CommitLog {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String ADD = "{\"add\"";
  private static final String REMOVE = "{\"remove\"";

  /** Files that are only written anew, as OPTIMIZE does, say false. */
  private static final String DATA_CHANGE = "\"dataChange\":true";

  private final Path folder;
  private final Configuration hadoop;

  CommitLog(Path folder, Configuration hadoop) {
    this.folder = folder;
    this.hadoop = hadoop;
  }

  /** Whether the log has the commit of this version. */
  boolean has(long version) {
    Path file = file(version);
    try {
      return file.getFileSystem(hadoop).exists(file);
    } catch (IOException e) {
      throw new UncheckedIOException("Failed to look for the Delta log file " + file, e);
    }
  }

  /**
   * When the commit of this version was written, as its file system says; empty if it isn't there.
   */
  OptionalLong written(long version) {
    Path file = file(version);
    try {
      return OptionalLong.of(file.getFileSystem(hadoop).getFileStatus(file).getModificationTime());
    } catch (FileNotFoundException e) {
      return OptionalLong.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("Failed to look for the Delta log file " + file, e);
    }
  }

  /** The commit of this version; empty once log cleanup has removed it. */
  Optional<Commit> read(long version) {
    return lines(version, lines -> parse(version, lines));
  }

  /**
   * The files that the commit appended, as the log has them; none of one that took files away,
   * since it brings no new rows; empty once log cleanup has removed it.
   */
  Optional<List<String>> added(long version) {
    return lines(
        version,
        lines -> {
          List<String> all = lines.lines().toList();
          return all.stream().anyMatch(line -> line.startsWith(REMOVE))
              ? List.of()
              : all.stream().filter(line -> line.startsWith(ADD)).toList();
        });
  }

  private <T> Optional<T> lines(long version, Parser<T> parser) {
    Path file = file(version);
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(file.getFileSystem(hadoop).open(file), StandardCharsets.UTF_8))) {
      return Optional.of(parser.parse(lines));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("Failed to read the Delta log file " + file, e);
    }
  }

  private Path file(long version) {
    return new Path(folder, String.format("%020d.json", version));
  }

  private interface Parser<T> {
    T parse(BufferedReader lines) throws IOException;
  }

  private static Commit parse(long version, BufferedReader lines) throws IOException {
    List<TransactionId> transactions = new ArrayList<>();
    Map<String, String> metrics = new HashMap<>();
    String userMetadata = null;
    String operation = null;
    boolean takesRows = false;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      // the bulk of a commit are its files, which nobody asks for here
      if (line.startsWith(ADD) || line.startsWith(REMOVE)) {
        takesRows |= line.startsWith(REMOVE) && line.contains(DATA_CHANGE);
        continue;
      }
      JsonNode action = JSON.readTree(line);
      JsonNode txn = action.path("txn");
      if (txn.isObject()) {
        transactions.add(
            new TransactionId(txn.path("appId").asText(), txn.path("version").asLong()));
      }
      JsonNode info = action.path("commitInfo");
      if (info.isObject()) {
        userMetadata = text(info.path("userMetadata"));
        operation = text(info.path("operation"));
        info.path("operationMetrics")
            .properties()
            .forEach(entry -> metrics.put(entry.getKey(), entry.getValue().asText()));
      }
    }
    return new Commit(version, transactions, userMetadata, metrics, takesRows, operation);
  }

  private static @Nullable String text(JsonNode node) {
    return node.isTextual() ? node.textValue() : null;
  }
}
