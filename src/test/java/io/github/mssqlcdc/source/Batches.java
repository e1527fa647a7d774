package io.github.mssqlcdc.source;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** A sink that keeps what the batches held, in the order of the calls. */
final class Batches implements VoidFunction2<Dataset<Row>, Long> {
  final List<List<Integer>> ids = new ArrayList<>();
  final List<Long> batchIds = new ArrayList<>();
  final List<String> ends = new ArrayList<>();

  @Override
  public void call(Dataset<Row> batch, Long id) {
    List<Row> rows = batch.select("id").collectAsList();
    ids.add(rows.stream().map(row -> row.getInt(0)).sorted().toList());
    batchIds.add(id);
  }

  List<Integer> sizes() {
    return ids.stream().map(List::size).toList();
  }

  String lastEnd() {
    return ends.get(ends.size() - 1);
  }
}
