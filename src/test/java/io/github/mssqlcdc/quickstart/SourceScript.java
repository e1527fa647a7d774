package io.github.mssqlcdc.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * All that was done to the stand-in, with the time at which it was done: run again in order on a
 * new stand-in whose clock shows those times, it gives the same server with the same LSNs. One JSON
 * object a line; an event is written before it happens.
 */
final class SourceScript {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private final List<Event> events;

  private SourceScript(Path file, List<Event> events) {
    this.file = file;
    this.events = events;
  }

  /** Reads the script; empty if the file isn't there. */
  static SourceScript open(Path file) {
    try {
      List<Event> events = new ArrayList<>();
      if (Files.exists(file)) {
        for (String line : Files.readAllLines(file)) {
          events.add(Event.parse(line));
        }
      }
      return new SourceScript(file, events);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Cannot read " + file + ": delete its folder to start anew", e);
    }
  }

  /** Begins a new script in place of this one. */
  void clear() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    events.clear();
  }

  List<Event> events() {
    return List.copyOf(events);
  }

  /** How many events of a kind there are. */
  int count(Kind kind) {
    return (int) events.stream().filter(event -> event.kind() == kind).count();
  }

  void append(Event event) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(
          file, event.json() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    events.add(event);
  }

  enum Kind {
    /** A statement batch in the default database. */
    SERVER,
    /** A statement batch in the shop's database. */
    SHOP,
    /** A round of changes begins. */
    ROUND,
    /** A scan of the capture job. */
    CAPTURE
  }

  /**
   * @param at time on the server's clock
   * @param sql empty where there is none
   */
  record Event(Instant at, Kind kind, String sql) {

    static Event parse(String line) throws IOException {
      JsonNode node = JSON.readTree(line);
      return new Event(
          Instant.parse(node.path("at").asText()),
          Kind.valueOf(node.path("kind").asText()),
          node.path("sql").asText());
    }

    String json() {
      ObjectNode node = JSON.createObjectNode();
      return node.put("at", at.toString()).put("kind", kind.name()).put("sql", sql).toString();
    }
  }
}
