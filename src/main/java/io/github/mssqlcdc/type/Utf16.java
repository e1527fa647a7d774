package io.github.mssqlcdc.type;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Text as SQL Server sends it: UTF-16, little-endian. */
final class Utf16 {
  private static final VarHandle UNITS =
      MethodHandles.byteArrayViewVarHandle(char[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int ASCII = 0x80;
  private static final int TWO_BYTES = 0x800;
  private static final int FOUR_BYTES = 0x10000;
  private static final int MOST_BYTES = 3;
  private static final int SIX_BITS = 0x3F;
  private static final char REPLACEMENT = '\uFFFD';

  private Utf16() {}

  /** The same text in UTF-8; an unpaired surrogate becomes the replacement character. */
  static byte[] toUtf8(byte[] text) {
    int units = text.length / Character.BYTES;
    byte[] ascii = new byte[units];
    for (int i = 0; i < units; i++) {
      char unit = unit(text, i);
      if (unit >= ASCII) {
        return mixed(text, units, ascii, i);
      }
      ascii[i] = (byte) unit;
    }
    return ascii;
  }

  /**
   * @param ascii the text before {@code from}
   */
  private static byte[] mixed(byte[] text, int units, byte[] ascii, int from) {
    byte[] utf8 = Arrays.copyOf(ascii, from + (units - from) * MOST_BYTES);
    int at = from;
    for (int i = from; i < units; i++) {
      int point = point(text, units, i);
      if (point < ASCII) {
        utf8[at++] = (byte) point;
        continue;
      }
      if (point < TWO_BYTES) {
        utf8[at++] = (byte) (0xC0 | point >> 6);
      } else {
        if (point < FOUR_BYTES) {
          utf8[at++] = (byte) (0xE0 | point >> 12);
        } else {
          utf8[at++] = (byte) (0xF0 | point >> 18);
          utf8[at++] = continuation(point >> 12);
          i++;
        }
        utf8[at++] = continuation(point >> 6);
      }
      utf8[at++] = continuation(point);
    }
    return Arrays.copyOf(utf8, at);
  }

  private static byte continuation(int bits) {
    return (byte) (ASCII | bits & SIX_BITS);
  }

  private static int point(byte[] text, int units, int i) {
    char unit = unit(text, i);
    if (!Character.isSurrogate(unit)) {
      return unit;
    }
    if (i + 1 < units && Character.isSurrogatePair(unit, unit(text, i + 1))) {
      return Character.toCodePoint(unit, unit(text, i + 1));
    }
    return REPLACEMENT;
  }

  private static char unit(byte[] text, int i) {
    return (char) UNITS.get(text, i * Character.BYTES);
  }
}
