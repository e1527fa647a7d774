package io.github.mssqlcdc.source.row;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * A vector of lists of names, taken from a few that all rows share; an empty list is NULL. A row
 * without a list costs nothing but its place.
 */
final class NamesVector extends OwnTypeVector {
  private final Names names;
  private final int[] ends;
  private int rows;
  private int nulls;

  NamesVector(List<String> names, int rows) {
    super(DataTypes.createArrayType(DataTypes.StringType));
    this.names = new Names(names);
    this.ends = new int[rows];
  }

  /** Adds a name, by its number, to the list of the row to come. */
  void add(int name) {
    names.append(name);
  }

  void endRow() {
    ends[rows] = names.size;
    if (isNullAt(rows)) {
      nulls++;
    }
    rows++;
  }

  void reset() {
    rows = 0;
    nulls = 0;
    names.size = 0;
  }

  /** Begins anew with this row's list. */
  void carry(int row) {
    int[] list = Arrays.copyOfRange(names.numbers, start(row), ends[row]);
    reset();
    for (int name : list) {
      add(name);
    }
    endRow();
  }

  private int start(int row) {
    return row == 0 ? 0 : ends[row - 1];
  }

  @Override
  public void close() {
    reset();
  }

  @Override
  public boolean hasNull() {
    return nulls > 0;
  }

  @Override
  public int numNulls() {
    return nulls;
  }

  @Override
  public boolean isNullAt(int row) {
    return start(row) == ends[row];
  }

  @Override
  public @Nullable ColumnarArray getArray(int row) {
    return isNullAt(row) ? null : new ColumnarArray(names, start(row), ends[row] - start(row));
  }

  /** The lists one behind the other. */
  private static final class Names extends OwnTypeVector {
    private static final int SOME = 64;

    private final UTF8String[] texts;
    private int[] numbers = new int[SOME];
    private int size;

    Names(List<String> names) {
      super(DataTypes.StringType);
      this.texts = names.stream().map(UTF8String::fromString).toArray(UTF8String[]::new);
    }

    void append(int name) {
      if (size == numbers.length) {
        numbers = Arrays.copyOf(numbers, 2 * size);
      }
      numbers[size++] = name;
    }

    @Override
    public void close() {}

    @Override
    public boolean hasNull() {
      return false;
    }

    @Override
    public int numNulls() {
      return 0;
    }

    @Override
    public boolean isNullAt(int row) {
      return false;
    }

    @Override
    public UTF8String getUTF8String(int row) {
      return texts[numbers[row]];
    }
  }
}
