package io.github.mssqlcdc.witness;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/** What Debezium's events say, values as text in the form of {@link Values}. */
final class DebeziumEvents {
  private static final String TIME = "io.debezium.time.";
  private static final String UNAVAILABLE = "__debezium_unavailable_value";
  private static final byte[] UNAVAILABLE_BYTES = UNAVAILABLE.getBytes(StandardCharsets.UTF_8);

  private DebeziumEvents() {}

  /**
   * The changes in the order of the events; tombstones and schemas are none. Events come at least
   * once: what was told again after a restart counts where it was told first.
   */
  static List<Change> of(List<SourceRecord> records) {
    return records.stream()
        .filter(DebeziumEvents::isChange)
        .map(each -> change((Struct) each.value()))
        .distinct()
        .toList();
  }

  private static boolean isChange(SourceRecord each) {
    return each.value() instanceof Struct value && value.schema().field("op") != null;
  }

  private static Struct source(Struct event) {
    return event.getStruct("source");
  }

  private static Change change(Struct event) {
    return new Change(
        source(event).getString("table"),
        lsn(source(event).getString("commit_lsn")),
        lsn(source(event).getString("change_lsn")),
        event.getString("op"),
        image(event.getStruct("before")),
        image(event.getStruct("after")));
  }

  private static String lsn(@Nullable String lsn) {
    return lsn == null ? "" : "0x" + lsn.replace(":", "").toUpperCase(Locale.ROOT);
  }

  private static @Nullable Map<String, String> image(@Nullable Struct struct) {
    if (struct == null) {
      return null;
    }
    Map<String, String> values = new TreeMap<>();
    for (Field field : struct.schema().fields()) {
      values.put(field.name(), text(field.schema(), struct.get(field)));
    }
    return values;
  }

  private static String text(Schema schema, @Nullable Object value) {
    if (value == null) {
      return Values.NULL;
    }
    if (schema.name() != null && schema.name().startsWith(TIME)) {
      return temporal(schema.name().substring(TIME.length()), value);
    }
    if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return Arrays.equals(bytes, UNAVAILABLE_BYTES)
          ? Values.UNKNOWN
          : HexFormat.of().formatHex(bytes);
    }
    if (value.equals(UNAVAILABLE)) {
      return Values.UNKNOWN;
    }
    return value instanceof BigDecimal number ? number.toPlainString() : value.toString();
  }

  private static String temporal(String kind, Object value) {
    return switch (kind) {
      case "Date" -> LocalDate.ofEpochDay(((Number) value).longValue()).toString();
      case "Timestamp" -> dateTime(value, ChronoUnit.MILLIS);
      case "MicroTimestamp" -> dateTime(value, ChronoUnit.MICROS);
      case "NanoTimestamp" -> dateTime(value, ChronoUnit.NANOS);
      case "Time" -> time(value, 1_000_000);
      case "MicroTime" -> time(value, 1_000);
      case "NanoTime" -> time(value, 1);
      case "ZonedTimestamp" -> Values.instant(OffsetDateTime.parse((String) value).toInstant());
      default -> throw new IllegalArgumentException("No text for " + kind);
    };
  }

  private static String dateTime(Object value, ChronoUnit unit) {
    Instant instant = Instant.EPOCH.plus(((Number) value).longValue(), unit);
    return Values.dateTime(LocalDateTime.ofInstant(instant, ZoneOffset.UTC));
  }

  private static String time(Object value, long nanos) {
    return Values.time(LocalTime.ofNanoOfDay(((Number) value).longValue() * nanos));
  }
}
