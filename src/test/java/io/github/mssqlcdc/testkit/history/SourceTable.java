package io.github.mssqlcdc.testkit.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** A table of ids and names as it should be, and what a statement changes in it. */
public final class SourceTable {
  /** A moved row goes so far, in a circle. */
  private static final int MOVE = 3;

  private final String name;
  private final NavigableMap<Integer, String> rows = new TreeMap<>();
  private int names;

  /**
   * @param name as SQL has it
   */
  public SourceTable(String name) {
    this.name = name;
  }

  /**
   * A row of the change table that a statement leaves.
   *
   * @param place of the row in the statement: both images of an update have the same
   */
  public record Image(int place, int operation, int id, String name) {}

  /**
   * What a statement comes to.
   *
   * @param sql its text
   */
  public record Effect(String sql, List<Image> images) {}

  public Map<Integer, String> rows() {
    return Map.copyOf(rows);
  }

  /** Applies a statement; one that changes nothing has no images. */
  public Effect apply(Statement statement) {
    int id = statement.id();
    String value = "n" + ++names;
    return switch (statement.kind()) {
      case PUT -> rows.containsKey(id) ? update(id, id, value) : insert(id, value);
      case DELETE -> delete(id, id);
      case MOVE -> move(id, (id + MOVE) % Statement.IDS);
      case UPDATE_ALL -> update(id, Statement.IDS, value);
      case DELETE_ALL -> delete(id, Statement.IDS);
    };
  }

  private Effect insert(int id, String value) {
    rows.put(id, value);
    return new Effect(
        "INSERT INTO " + name + " VALUES (" + id + ", N'" + value + "')",
        List.of(new Image(0, 2, id, value)));
  }

  private Effect update(int from, int to, String value) {
    List<Image> images = new ArrayList<>();
    rows.subMap(from, true, to, true)
        .replaceAll(
            (id, before) -> {
              int place = images.size();
              images.add(new Image(place, 3, id, before));
              images.add(new Image(place, 4, id, value));
              return value;
            });
    return new Effect(
        "UPDATE " + name + " SET name = N'" + value + "' WHERE id BETWEEN " + from + " AND " + to,
        images);
  }

  private Effect delete(int from, int to) {
    List<Image> images = new ArrayList<>();
    NavigableMap<Integer, String> gone = rows.subMap(from, true, to, true);
    gone.forEach((id, value) -> images.add(new Image(images.size(), 1, id, value)));
    gone.clear();
    return new Effect("DELETE FROM " + name + " WHERE id BETWEEN " + from + " AND " + to, images);
  }

  /** An update of the key is captured as a delete and an insert. */
  private Effect move(int from, int to) {
    String value = rows.get(from);
    if (value == null || rows.containsKey(to)) {
      return new Effect("", List.of());
    }
    rows.remove(from);
    rows.put(to, value);
    return new Effect(
        "UPDATE " + name + " SET id = " + to + " WHERE id = " + from,
        List.of(new Image(0, 1, from, value), new Image(0, 2, to, value)));
  }
}
