package io.github.mssqlcdc.silver;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.jspecify.annotations.Nullable;

/**
 * Many small source tables side by side, told apart by the first column of their key, which live at
 * random; and the images that CDC and snapshots would give of them.
 */
final class Source {
  private static final int IDS = 5;

  private final Random random;
  private final List<Map<Integer, Values>> tables = new ArrayList<>();
  private final List<Row> captured = new ArrayList<>();
  private int lsn;
  private int history;
  private int seqval;

  /** A row's columns but its key. */
  record Values(int a, @Nullable String body) {}

  Source(int count, long seed) {
    random = new Random(seed);
    for (int i = 0; i < count; i++) {
      tables.add(new TreeMap<>());
    }
  }

  int lsn() {
    return lsn;
  }

  int history() {
    return history;
  }

  /** A few commits, each of some of the tables. */
  void live(int commits) {
    for (int i = 0; i < commits; i++) {
      lsn++;
      for (int table = 0; table < tables.size(); table++) {
        int commands = Math.max(0, random.nextInt(6) - 2);
        for (int command = 1; command <= commands; command++) {
          change(table, command);
        }
      }
    }
  }

  /** The database is restored: its LSNs begin anew, its rows are others, and nobody captures it. */
  void restore() {
    captured.clear();
    history++;
    lsn = 1;
    live(4);
    captured.clear();
  }

  /** Rows change without CDC seeing it, as before it was enabled. */
  void liveUncaptured(int commits) {
    live(commits);
    captured.clear();
  }

  /** What was captured since the last call. */
  List<Row> changes() {
    List<Row> changes = List.copyOf(captured);
    captured.clear();
    return changes;
  }

  /** Of what was captured since, that up to a commit; the rest stays for the next call. */
  List<Row> changesThrough(int end) {
    String last = SilverHistory.lsn(end);
    List<Row> changes =
        captured.stream().filter(image -> image.getString(1).compareTo(last) <= 0).toList();
    captured.removeIf(image -> image.getString(1).compareTo(last) <= 0);
    return changes;
  }

  /** The tables from one number up to another, as they are now. */
  Map<Integer, Map<Integer, Values>> state(int from, int below) {
    Map<Integer, Map<Integer, Values>> state = new HashMap<>();
    for (int i = from; i < Math.min(below, tables.size()); i++) {
      state.put(i, new TreeMap<>(tables.get(i)));
    }
    return state;
  }

  /** Rows of a snapshot. */
  List<Row> snapshot(Map<Integer, Map<Integer, Values>> state, int stamp, int snapshot, int chunk) {
    List<Row> rows = new ArrayList<>();
    state.forEach(
        (table, held) ->
            held.forEach(
                (id, values) ->
                    rows.add(
                        RowFactory.create(
                            history,
                            SilverHistory.lsn(stamp),
                            null,
                            null,
                            0,
                            SilverHistory.time(stamp),
                            null,
                            SilverHistory.lsn(snapshot),
                            chunk < 0 ? null : chunk,
                            table,
                            id,
                            values.a,
                            values.body))));
    return rows;
  }

  private void change(int table, int command) {
    Map<Integer, Values> rows = tables.get(table);
    int id = random.nextInt(IDS);
    Values old = rows.get(id);
    int choice = random.nextInt(10);
    seqval++;
    if (old == null) {
      Values fresh = new Values(random.nextInt(100), body());
      rows.put(id, fresh);
      image(table, command, 2, id, fresh, true);
    } else if (choice < 4) {
      Values next = new Values(random.nextInt(100), old.body);
      rows.put(id, next);
      image(table, command, 3, id, old, random.nextInt(4) == 0);
      image(table, command, 4, id, next, random.nextInt(4) == 0);
    } else if (choice < 6) {
      Values next = new Values(old.a, body());
      rows.put(id, next);
      image(table, command, 3, id, old, true);
      image(table, command, 4, id, next, true);
    } else if (choice < 8) {
      rows.remove(id);
      image(table, command, 1, id, old, random.nextBoolean());
    } else {
      move(table, command, rows);
    }
  }

  /** One statement takes rows to the next key up, as where the key isn't CDC's own unique index. */
  private void move(int table, int command, Map<Integer, Values> rows) {
    Map<Integer, Values> before = new TreeMap<>(rows);
    rows.clear();
    List<Integer> ids = new ArrayList<>(before.keySet());
    if (random.nextBoolean()) {
      java.util.Collections.reverse(ids);
    }
    for (int id : ids) {
      Values values = requireNonNull(before.get(id));
      seqval++;
      image(table, command, 3, id, values, false);
      image(table, command, 4, id + 1, values, false);
      rows.put(id + 1, values);
    }
  }

  private @Nullable String body() {
    return random.nextInt(5) == 0 ? null : "body " + random.nextInt(1000);
  }

  private void image(
      int table, int command, int operation, int id, Values values, boolean isKnown) {
    captured.add(
        RowFactory.create(
            history,
            SilverHistory.lsn(lsn),
            command,
            SilverHistory.lsn(seqval),
            operation,
            SilverHistory.time(lsn),
            isKnown ? null : List.of("body"),
            null,
            null,
            table,
            id,
            values.a,
            isKnown ? values.body : null));
  }
}
