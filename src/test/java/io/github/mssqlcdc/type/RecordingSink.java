package io.github.mssqlcdc.type;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps what it is handed, bytes as they are. */
public final class RecordingSink implements ColumnSink {
  private final List<@Nullable Object> values = new ArrayList<>();

  public List<@Nullable Object> values() {
    return values;
  }

  @Override
  public void putNull() {
    values.add(null);
  }

  @Override
  public void putBoolean(boolean value) {
    values.add(value);
  }

  @Override
  public void putShort(short value) {
    values.add(value);
  }

  @Override
  public void putInt(int value) {
    values.add(value);
  }

  @Override
  public void putLong(long value) {
    values.add(value);
  }

  @Override
  public void putFloat(float value) {
    values.add(value);
  }

  @Override
  public void putDouble(double value) {
    values.add(value);
  }

  @Override
  public void putDecimal(BigDecimal value) {
    values.add(value);
  }

  @Override
  public void putBytes(byte[] value) {
    values.add(value);
  }
}
