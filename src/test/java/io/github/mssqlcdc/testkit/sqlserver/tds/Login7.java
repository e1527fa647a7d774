package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.Backend;

/**
 * LOGIN7: a fixed part with offsets and lengths in characters, then the strings.
 *
 * @param packetSize what the client asks for; 0 for the server's choice
 */
record Login7(Backend.Login login, int packetSize) {
  private static final int PACKET_SIZE = 8;
  private static final int TYPE_FLAGS = 26;
  private static final int READ_ONLY_INTENT = 0x20;
  private static final int USER = 40;
  private static final int PASSWORD = 44;
  private static final int APPLICATION = 48;
  private static final int DATABASE = 68;

  static Login7 parse(byte[] payload) {
    WireReader in = new WireReader(payload);
    in.position(PACKET_SIZE);
    int packetSize = in.i32();
    in.position(TYPE_FLAGS);
    boolean readOnly = (in.u8() & READ_ONLY_INTENT) != 0;
    Backend.Login login =
        new Backend.Login(
            text(in, USER),
            clear(text(in, PASSWORD)),
            text(in, DATABASE),
            text(in, APPLICATION),
            readOnly);
    return new Login7(login, packetSize);
  }

  private static String text(WireReader in, int pointer) {
    in.position(pointer);
    int offset = in.u16();
    int length = in.u16();
    in.position(offset);
    return in.utf16(length);
  }

  /** Each byte was nibble-swapped, then XORed with A5. */
  private static String clear(String password) {
    char[] characters = password.toCharArray();
    for (int i = 0; i < characters.length; i++) {
      int mixed = characters[i] ^ 0xA5A5;
      characters[i] = (char) ((mixed & 0x0F0F) << 4 | (mixed & 0xF0F0) >> 4);
    }
    return new String(characters);
  }
}
