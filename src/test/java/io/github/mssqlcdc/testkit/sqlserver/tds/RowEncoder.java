package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Encodes rows ahead of their being sent. Not thread-safe. */
public final class RowEncoder {
  private static final int PACKET_SIZE = 32_000;

  private final List<ColumnEncoder> encoders;
  private final Payload payload = new Payload();
  private final TokenWriter tokens = new TokenWriter(new PacketWriter(payload, PACKET_SIZE));

  public RowEncoder(List<Column> columns) {
    this.encoders = columns.stream().map(ColumnEncoder::of).toList();
  }

  /**
   * A row's token.
   *
   * @param ends of the cells in it: the offset behind each
   */
  public record Encoded(byte[] token, int[] ends) {

    /** With a token of its own, to put other values in. */
    public Encoded copy() {
      return new Encoded(token.clone(), ends);
    }
  }

  public Encoded encode(@Nullable Object[] values) {
    payload.reset();
    boolean bitmap = tokens.startRow(values);
    int[] ends = new int[values.length];
    for (int i = 0; i < values.length; i++) {
      tokens.cell(encoders.get(i), values[i], bitmap);
      tokens.packets().endMessage();
      ends[i] = payload.size();
    }
    return new Encoded(payload.toByteArray(), ends);
  }

  /** Packets without their headers. */
  private static final class Payload extends ByteArrayOutputStream {

    @Override
    public synchronized void write(byte[] packet, int from, int length) {
      super.write(packet, from + PacketReader.HEADER, length - PacketReader.HEADER);
    }
  }
}
