package io.github.mssqlcdc.source.row;

import io.github.mssqlcdc.type.CapturedColumn;
import java.io.Serializable;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A column whose value is missing from some images: a large one, which CDC leaves out where it
 * wasn't touched, or one that the capture instance of the image doesn't have. It reads NULL then,
 * as a value does that is NULL.
 *
 * @param ordinal place among the captured columns from 1, which is its bit in an update mask
 * @param isLegacy text, ntext or image
 */
record LargeColumn(int ordinal, boolean isLegacy) implements Serializable {
  private static final Set<String> LEGACY = Set.of("text", "ntext", "image");
  private static final int DELETE = 1;
  private static final int INSERT = 2;
  private static final int BEFORE = 3;

  /** One that no image of the instance at hand carries. */
  static final LargeColumn NOT_CAPTURED = new LargeColumn(0, false);

  /** A computed column isn't one: CDC never captures its values, whatever the type. */
  static boolean is(CapturedColumn column) {
    return (column.type().isLarge() || column.isMissingSomewhere()) && !column.isComputed();
  }

  /** Of a column that is one; null where every image of the instance at hand carries it. */
  static @Nullable LargeColumn of(CapturedColumn column) {
    if (!column.isCaptured()) {
      return NOT_CAPTURED;
    }
    if (!column.type().isLarge()) {
      return null;
    }
    return new LargeColumn(column.ordinal(), LEGACY.contains(column.type().name()));
  }

  /**
   * Whether a NULL means that the image doesn't carry the value.
   *
   * @param mask update mask of the image; null: nothing can be told
   */
  boolean isLeftOut(int operation, byte @Nullable [] mask) {
    if (mask == null || !isToldByMask()) {
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

  /** Whether the update mask tells of it. */
  boolean isToldByMask() {
    return ordinal > 0;
  }

  /** Column 1 is the lowest bit of the last byte. */
  private boolean isSet(byte[] mask) {
    int at = mask.length - 1 - (ordinal - 1) / Byte.SIZE;
    return at >= 0 && (mask[at] >> (ordinal - 1) % Byte.SIZE & 1) == 1;
  }
}
