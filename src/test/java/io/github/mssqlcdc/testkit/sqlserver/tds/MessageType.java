package io.github.mssqlcdc.testkit.sqlserver.tds;

/** Types of TDS messages, the first byte of a packet. */
final class MessageType {
  static final int BATCH = 0x01;
  static final int RPC = 0x03;
  static final int RESPONSE = 0x04;
  static final int ATTENTION = 0x06;
  static final int FEDERATED_TOKEN = 0x08;
  static final int LOGIN7 = 0x10;
  static final int PRELOGIN = 0x12;

  /** Stands for the end of the client's messages; never on the wire. */
  static final int HANG_UP = -1;

  private MessageType() {}
}
