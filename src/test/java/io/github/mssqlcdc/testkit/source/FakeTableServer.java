package io.github.mssqlcdc.testkit.source;

import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.keyrange.TablePart;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.DdlEntry;
import io.github.mssqlcdc.sqlserver.KeyEnds;
import io.github.mssqlcdc.sqlserver.KeyExtent;
import io.github.mssqlcdc.sqlserver.KeySeek;
import io.github.mssqlcdc.sqlserver.RangeReader;
import io.github.mssqlcdc.sqlserver.SliceCount;
import io.github.mssqlcdc.sqlserver.SliceGrid;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.TableSize;
import io.github.mssqlcdc.type.SelectColumn;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The part of a fake that answers what is asked of the table itself, and notes it. */
abstract class FakeTableServer implements SqlServer {
  final FakeTable table = new FakeTable();
  final List<String> calls = new CopyOnWriteArrayList<>();
  private final List<KeyRange> ranges = new CopyOnWriteArrayList<>();
  private final List<TablePart> parts = new CopyOnWriteArrayList<>();
  private final List<List<String>> selected = new CopyOnWriteArrayList<>();
  private Optional<TableSize> size = Optional.of(new TableSize(10_000_000, 1L << 30));

  /** Names of the calls made so far. */
  public List<String> calls() {
    return calls;
  }

  /** What the server believes the table to hold; null: it doesn't tell. */
  public synchronized void setSize(TableSize of) {
    size = Optional.ofNullable(of);
  }

  /** Parts of the table that were asked for. */
  public List<TablePart> parts() {
    return parts;
  }

  /** The columns that each read of the table asked for. */
  public List<List<String>> selected() {
    return selected;
  }

  /** Ranges of the table that were asked for. */
  public List<KeyRange> ranges() {
    return ranges;
  }

  @Override
  public boolean maySwitchPartitions(CaptureInstance instance) {
    return false;
  }

  @Override
  public List<DdlEntry> ddlHistory(CaptureInstance instance) {
    return List.of();
  }

  @Override
  public Optional<LocalDateTime> tableCreated(CaptureInstance instance) {
    return Optional.empty();
  }

  @Override
  public synchronized List<KeyExtent> keyExtents(CaptureInstance instance, List<KeyRange> of) {
    calls.add("keyExtents");
    return table.extents(of);
  }

  @Override
  public synchronized KeyEnds keyEnds(
      CaptureInstance instance, List<KeyColumn> columns, @Nullable Lsn stampedMaxLsn) {
    calls.add("keyEnds");
    return table.ends(columns);
  }

  @Override
  public synchronized List<SliceCount> countSlices(CaptureInstance instance, SliceGrid grid) {
    calls.add("countSlices");
    return table.count(grid);
  }

  @Override
  public synchronized Optional<TableSize> tableSize(CaptureInstance instance) {
    calls.add("tableSize");
    return size;
  }

  @Override
  public synchronized Optional<KeyBound> seekKey(CaptureInstance instance, KeySeek seek) {
    calls.add("seekKey");
    return table.seek(seek);
  }

  @Override
  public synchronized RangeReader readTable(
      CaptureInstance instance, List<SelectColumn> columns, TablePart part, Lsn stampedMaxLsn) {
    calls.add("readTable");
    parts.add(part);
    selected.add(columns.stream().map(SelectColumn::name).toList());
    if (part.range() != null) {
      ranges.add(part.range());
    }
    return new FakeReader(FakeCursor.of(table.read(columns, part)));
  }
}
