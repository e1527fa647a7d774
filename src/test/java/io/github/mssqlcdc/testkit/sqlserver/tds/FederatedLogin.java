package io.github.mssqlcdc.testkit.sqlserver.tds;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The part of a login that speaks of access tokens: LOGIN7's feature extension, the message that
 * tells the client whom to ask for a token, and the client's answer.
 *
 * @param token what came with the login; null: the client asks for one when it knows the issuer
 */
record FederatedLogin(@Nullable String token) {
  static final String ISSUER = "https://login.example.com/tenant";
  static final String RESOURCE = "https://database.example.com/";

  private static final int FEATURE = 0x02;
  private static final int LAST_FEATURE = 0xFF;
  private static final int SECURITY_TOKEN = 1;
  private static final int FEATURE_ACK = 0xAE;
  private static final int INFO = 0xEE;
  private static final int ISSUER_ID = 1;
  private static final int RESOURCE_ID = 2;
  private static final int INFO_HEADER = 4 + 2 * 9;

  /** Reads the feature extensions up to their end; null if the client uses no token. */
  static @Nullable FederatedLogin find(WireReader features) {
    while (true) {
      int feature = features.u8();
      if (feature == LAST_FEATURE) {
        return null;
      }
      int length = features.i32();
      if (feature != FEATURE) {
        features.skip(length);
        continue;
      }
      int library = features.u8() >> 1;
      return new FederatedLogin(library == SECURITY_TOKEN ? text(features) : null);
    }
  }

  /** Tells the client who issues tokens, and reads the one that it got there. */
  static String ask(TokenWriter tokens, PacketReader reader) throws IOException {
    PacketWriter out = tokens.packets();
    byte[] issuer = ISSUER.getBytes(StandardCharsets.UTF_16LE);
    byte[] resource = RESOURCE.getBytes(StandardCharsets.UTF_16LE);
    out.u8(INFO);
    out.i32(INFO_HEADER + issuer.length + resource.length);
    out.i32(2);
    out.u8(ISSUER_ID);
    out.i32(issuer.length);
    out.i32(INFO_HEADER);
    out.u8(RESOURCE_ID);
    out.i32(resource.length);
    out.i32(INFO_HEADER + issuer.length);
    out.bytes(issuer);
    out.bytes(resource);
    out.endMessage();
    Message answer = reader.read();
    if (answer.type() != MessageType.FEDERATED_TOKEN) {
      throw new IOException("Unknown message of type " + answer.type() + " instead of a token");
    }
    WireReader in = new WireReader(answer.payload());
    in.i32();
    return text(in);
  }

  /** Says that the token was heeded; goes behind LOGINACK. */
  static void acknowledge(PacketWriter out) {
    out.u8(FEATURE_ACK);
    out.u8(FEATURE);
    out.i32(0);
    out.u8(LAST_FEATURE);
  }

  private static String text(WireReader in) {
    return in.utf16(in.i32() / 2);
  }
}
