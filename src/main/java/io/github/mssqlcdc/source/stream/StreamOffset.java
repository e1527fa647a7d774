package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.offset.Offset;

/** Spark's view of an {@link Offset}: its text, which is also how Spark compares it. */
final class StreamOffset extends org.apache.spark.sql.connector.read.streaming.Offset {
  private final Offset position;

  StreamOffset(Offset position) {
    this.position = position;
  }

  /** Of any offset that Spark hands in: after a restart it is one of Spark's own class. */
  static Offset positionOf(org.apache.spark.sql.connector.read.streaming.Offset offset) {
    return offset instanceof StreamOffset own ? own.position : Offset.parse(offset.json());
  }

  @Override
  public String json() {
    return position.json();
  }
}
