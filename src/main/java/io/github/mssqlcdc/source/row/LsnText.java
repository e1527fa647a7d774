package io.github.mssqlcdc.source.row;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** The canonical text of an LSN as UTF-8, straight from its bytes. */
final class LsnText {
  private static final byte[] HEX = "0123456789ABCDEF".getBytes(US_ASCII);

  private LsnText() {}

  static byte[] of(byte[] lsn) {
    byte[] text = new byte[2 + 2 * lsn.length];
    text[0] = '0';
    text[1] = 'x';
    for (int i = 0; i < lsn.length; i++) {
      text[2 + 2 * i] = HEX[(lsn[i] >> 4) & 0xF];
      text[3 + 2 * i] = HEX[lsn[i] & 0xF];
    }
    return text;
  }
}
