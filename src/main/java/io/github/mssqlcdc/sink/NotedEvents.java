package io.github.mssqlcdc.sink;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.SourceEvent;
import io.github.mssqlcdc.metric.SourceEvent.ColumnGap;
import io.github.mssqlcdc.metric.SourceEvent.InstanceSwitched;
import io.github.mssqlcdc.metric.SourceEvent.SchemaChanged;
import io.github.mssqlcdc.offset.Offset;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What happened to the source in a batch, in the note of its commit: a process may die before the
 * facts have it, and the server needn't tell it again.
 */
final class NotedEvents {
  private static final String LSN = "lsn";
  private static final String COMMIT_TS = "commit_ts";
  private static final String STATEMENT = "statement";
  private static final String OLD = "old";
  private static final String NEW = "new";
  private static final String NOT_CAPTURED = "not_captured";
  private static final String COLUMN = "column";
  private static final String FROM_LSN = "from_lsn";
  private static final String FROM_TS = "from_ts";

  private NotedEvents() {}

  static List<Map<String, Object>> of(List<SourceEvent> events) {
    return events.stream().map(NotedEvents::of).toList();
  }

  private static Map<String, Object> of(SourceEvent event) {
    Map<String, Object> note = new LinkedHashMap<>();
    put(note, LSN, event.lsn());
    put(note, COMMIT_TS, event.commitTs());
    if (event instanceof SchemaChanged changed) {
      note.put(STATEMENT, changed.statement());
    } else if (event instanceof InstanceSwitched switched) {
      note.put(OLD, switched.from());
      note.put(NEW, switched.to());
      note.put(NOT_CAPTURED, switched.notCaptured());
    } else if (event instanceof ColumnGap gap) {
      note.put(NEW, gap.to());
      note.put(COLUMN, gap.column());
      put(note, FROM_LSN, gap.from());
      put(note, FROM_TS, gap.fromTs());
    }
    return note;
  }

  private static void put(Map<String, Object> note, String name, @Nullable Object value) {
    if (value != null) {
      note.put(name, value.toString());
    }
  }

  static List<SourceEvent> read(List<JsonNode> notes) {
    return notes.stream().map(NotedEvents::read).toList();
  }

  private static SourceEvent read(JsonNode note) {
    Lsn lsn = Lsn.parse(note.path(LSN).asText());
    LocalDateTime commitTs = Offset.time(note.path(COMMIT_TS).textValue());
    if (note.has(COLUMN)) {
      JsonNode from = note.path(FROM_LSN);
      return new ColumnGap(
          lsn,
          commitTs,
          note.path(NEW).asText(),
          note.path(COLUMN).asText(),
          from.isTextual() ? Lsn.parse(from.textValue()) : null,
          Offset.time(note.path(FROM_TS).textValue()));
    }
    if (note.has(OLD)) {
      List<String> notCaptured = new ArrayList<>();
      note.path(NOT_CAPTURED).forEach(column -> notCaptured.add(column.asText()));
      return new InstanceSwitched(
          lsn, commitTs, note.path(OLD).asText(), note.path(NEW).asText(), notCaptured);
    }
    return new SchemaChanged(lsn, commitTs, note.path(STATEMENT).asText());
  }
}
