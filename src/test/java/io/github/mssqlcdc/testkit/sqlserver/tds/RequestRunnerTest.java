package io.github.mssqlcdc.testkit.sqlserver.tds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.sqlserver.backend.Backend;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.Request;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages that the driver doesn't send, or not when told to: written and read byte by byte. */
class RequestRunnerTest {
  private final FakeBackend backend = new FakeBackend();
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  private RequestRunner runner;

  @BeforeEach
  void logIn() throws Exception {
    Backend.Login login =
        new Backend.Login(FakeBackend.USER, FakeBackend.PASSWORD, "db", "test", false);
    runner =
        new RequestRunner(
            backend,
            login,
            backend.login(login),
            new TokenWriter(new PacketWriter(sent, 4096)),
            new Execution(),
            (who, spid, sql) -> {});
  }

  @Test
  void procedureCallAnswersWithStatusOutputsByPositionAndDoneProc() {
    backend.on(
        "sp_it",
        (request, sink, cancelled) -> {
          sink.returnValue("@formal", DataType.of(SqlTypeName.INT), 0x2A);
          sink.returnStatus(5);
        });
    WireBytes call = headers().u16(5).utf16("sp_it").u16(0);
    parameter(call, 0, 7);
    parameter(call, 1, 1);
    assertThat(runner.run(message(MessageType.RPC, call))).isTrue();
    assertThat(backend.requests)
        .containsExactly(
            new Request.Procedure(
                "sp_it",
                List.of(
                    new Request.Parameter("", DataType.of(SqlTypeName.INT), 7, false),
                    new Request.Parameter("", DataType.of(SqlTypeName.INT), 1, true))));
    assertThat(tokens())
        .isEqualTo(
            "79"
                + "05000000" // return status
                + "ac"
                + "0100"
                + "07"
                + utf16("@formal")
                + "01"
                + "00000000"
                + "0100"
                + "2604"
                + "04"
                + "2a000000"
                + "fe"
                + "0000"
                + "0000"
                + "0000000000000000");
  }

  @Test
  void requestThatTheClientBrokeOffIsNotRun() {
    WireBytes batch = headers().utf16("DELETE t");
    assertThat(runner.run(new Message(MessageType.BATCH, true, false, batch.array()))).isTrue();
    assertThat(backend.requests).isEmpty();
    assertThat(tokens()).isEqualTo("fd" + "0200" + "0000" + "0000000000000000");
  }

  @Test
  void transactionManagerRequestsAreRefusedAndTheSessionLives() {
    assertThat(runner.run(message(0x0E, headers()))).isTrue();
    assertThat(tokens()).startsWith("aa").contains(utf16("TDS message of type 14"));
  }

  @Test
  void truncatedMessageEndsTheSession() {
    assertThat(runner.run(message(MessageType.RPC, headers().u16(5).utf16("sp")))).isFalse();
    assertThat(tokens()).contains(utf16("The stream ended unexpectedly."));
  }

  @Test
  void attentionThatOvertookItsRequestKeepsItFromRunning() throws Exception {
    Execution execution = new Execution();
    execution.cancel();
    Backend.Login login = backend.logins.get(0);
    RequestRunner cancelled =
        new RequestRunner(
            backend,
            login,
            backend.login(login),
            new TokenWriter(new PacketWriter(sent, 4096)),
            execution,
            (who, spid, sql) -> {});
    cancelled.run(message(MessageType.BATCH, headers().utf16("DELETE t")));
    cancelled.acknowledgeAttention();
    assertThat(backend.requests).isEmpty();
    String error = "fd" + "0200" + "0000" + "0000000000000000";
    String acknowledgement = "fd" + "2000" + "0000" + "0000000000000000";
    assertThat(HexFormat.of().formatHex(sent.toByteArray()))
        .matches("0401.{12}" + error + "0401.{12}" + acknowledgement);
    cancelled.run(message(MessageType.BATCH, headers().utf16("DELETE t")));
    assertThat(backend.requests).containsExactly(new Request.Batch("DELETE t"));
  }

  private static Message message(int type, WireBytes payload) {
    return new Message(type, false, false, payload.array());
  }

  /** ALL_HEADERS with a transaction descriptor, as the driver sends them. */
  private static WireBytes headers() {
    WireBytes bytes = new WireBytes().u16(22).u16(0).u16(18).u16(0).u16(2);
    for (int i = 0; i < 4; i++) {
      bytes.u16(0);
    }
    return bytes.u16(1).u16(0);
  }

  private static void parameter(WireBytes call, int status, int value) {
    call.u8(0).u8(status).u8(TypeToken.INT_N).u8(4).u8(4).u16(value).u16(0);
  }

  private String tokens() {
    String hex = HexFormat.of().formatHex(sent.toByteArray());
    return hex.substring(2 * PacketReader.HEADER);
  }

  private static String utf16(String text) {
    return HexFormat.of().formatHex(new WireBytes().utf16(text).array());
  }
}
