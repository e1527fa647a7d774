package io.github.mssqlcdc.testkit.sqlserver.cdc;

import java.util.BitSet;

/**
 * Which captured columns a change touched. Column n (from 1) is bit (n - 1) % 8 of byte (n - 1) / 8
 * counted from the last byte.
 */
final class UpdateMask {
  private final int columns;
  private final BitSet changed;

  private UpdateMask(int columns, BitSet changed) {
    this.columns = columns;
    this.changed = changed;
  }

  static UpdateMask all(int columns) {
    BitSet bits = new BitSet(columns);
    bits.set(0, columns);
    return new UpdateMask(columns, bits);
  }

  /**
   * @param changed ordinals from 0
   */
  static UpdateMask of(int columns, BitSet changed) {
    return new UpdateMask(columns, (BitSet) changed.clone());
  }

  boolean isEmpty() {
    return changed.isEmpty();
  }

  /**
   * @param ordinal from 0
   */
  boolean contains(int ordinal) {
    return changed.get(ordinal);
  }

  byte[] bytes() {
    byte[] mask = new byte[(columns + 7) / 8];
    changed.stream().forEach(bit -> mask[mask.length - 1 - bit / 8] |= (byte) (1 << (bit % 8)));
    return mask;
  }

  /**
   * @param position from 1
   */
  static boolean isSet(int position, byte[] mask) {
    int index = mask.length - 1 - (position - 1) / 8;
    return position > 0 && index >= 0 && (mask[index] >> ((position - 1) % 8) & 1) == 1;
  }
}
