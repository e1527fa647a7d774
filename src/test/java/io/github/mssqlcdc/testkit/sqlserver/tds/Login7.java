package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.Backend;
import org.jspecify.annotations.Nullable;

/**
 * LOGIN7: a fixed part with offsets and lengths in characters, then the strings.
 *
 * @param packetSize what the client asks for; 0 for the server's choice
 * @param federated what it says of access tokens; null: nothing
 */
record Login7(Backend.Login login, int packetSize, @Nullable FederatedLogin federated) {
  private static final int PACKET_SIZE = 8;
  private static final int TYPE_FLAGS = 26;
  private static final int READ_ONLY_INTENT = 0x20;
  private static final int MORE_FLAGS = 27;
  private static final int HAS_EXTENSION = 0x10;
  private static final int EXTENSION = 56;
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
    return new Login7(login, packetSize, federated(in));
  }

  private static @Nullable FederatedLogin federated(WireReader in) {
    in.position(MORE_FLAGS);
    if ((in.u8() & HAS_EXTENSION) == 0) {
      return null;
    }
    in.position(EXTENSION);
    in.position(in.u16());
    in.position(in.i32());
    return FederatedLogin.find(in);
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
