package io.github.mssqlcdc.source.row;

import io.github.mssqlcdc.type.CapturedColumn;
import java.io.Serializable;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A column whose value CDC leaves out of some images: a large one. The image holds NULL then, as it
 * does for a value that is NULL.
 *
 * @param ordinal place among the captured columns from 1, which is its bit in an update mask
 * @param isLegacy text, ntext or image
 */
record LargeColumn(int ordinal, boolean isLegacy) implements Serializable {
  private static final Set<String> LEGACY = Set.of("text", "ntext", "image");
  private static final int DELETE = 1;
  private static final int INSERT = 2;
  private static final int BEFORE = 3;

  /** A computed column isn't one: CDC never captures its values, whatever the type. */
  static boolean is(CapturedColumn column) {
    return column.type().isLarge() && !column.isComputed();
  }

  static LargeColumn of(CapturedColumn column) {
    return new LargeColumn(column.ordinal(), LEGACY.contains(column.type().name()));
  }

  /**
   * Whether a NULL means that the image doesn't carry the value.
   *
   * @param mask update mask of the image; null: nothing can be told
   */
  boolean isLeftOut(int operation, byte @Nullable [] mask) {
    if (mask == null) {
      return true;
    }
    return switch (operation) {
      case INSERT -> false;
      case DELETE -> isLegacy;
      case BEFORE -> isLegacy || !isSet(mask);
      // some servers may leave untouched values out here, others not: both are met
      default -> !isSet(mask);
    };
  }

  /** Column 1 is the lowest bit of the last byte. */
  private boolean isSet(byte[] mask) {
    int at = mask.length - 1 - (ordinal - 1) / Byte.SIZE;
    return at >= 0 && (mask[at] >> (ordinal - 1) % Byte.SIZE & 1) == 1;
  }
}
