package io.github.mssqlcdc.silver;

import static org.apache.spark.sql.functions.lit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.mssqlcdc.bronze.HeldWave;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;

/**
 * The keys of a chunk among silver's rows, where SQL Server and Spark order them alike: numbers and
 * times of one column. Of other keys only the whole table is a range.
 *
 * @param silver silver's columns
 * @param keys columns that the snapshot is cut on
 */
record KeyRanges(StructType silver, List<String> keys) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MICROS_DIGITS = 26;
  private static final int DATE_LENGTH = 10;
  private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);

  /** Rows that are certainly in the chunk's range; empty: none can be told. */
  Optional<Column> within(HeldWave.Bounds chunk) {
    JsonNode lo = read(chunk.lo());
    JsonNode hi = read(chunk.hi());
    if (lo.isNull() && hi.isNull()) {
      return Optional.of(lit(true));
    }
    if (keys.size() != 1) {
      return Optional.empty();
    }
    Optional<StructField> key =
        List.of(silver.fields()).stream()
            .filter(field -> field.name().equalsIgnoreCase(keys.get(0)))
            .findFirst();
    return key.flatMap(field -> within(field, lo, hi));
  }

  private static Optional<Column> within(StructField key, JsonNode lo, JsonNode hi) {
    Column column = Names.col(key.name());
    Optional<Column> from =
        lo.isNull() ? Optional.of(column.isNotNull()) : from(column, key.dataType(), lo.asText());
    Optional<Column> below =
        hi.isNull() ? Optional.of(lit(true)) : below(column, key.dataType(), hi.asText());
    return from.flatMap(lower -> below.map(lower::and));
  }

  /** A bound between two microseconds has the key of its own microsecond on either side. */
  private static Optional<Column> from(Column column, DataType type, String bound) {
    boolean isBetween = type instanceof TimestampNTZType && !isExact(bound);
    return value(type, bound).map(value -> isBetween ? column.gt(value) : column.geq(value));
  }

  private static Optional<Column> below(Column column, DataType type, String bound) {
    return value(type, bound).map(column::lt);
  }

  private static Optional<Column> value(DataType type, String bound) {
    if (type instanceof IntegralType) {
      // one above the largest is a bound, too
      BigInteger value = new BigInteger(bound);
      return Optional.of(
          value.compareTo(LONG_MAX) > 0 ? lit(new BigDecimal(value)) : lit(value.longValueExact()));
    }
    if (type instanceof DecimalType) {
      return Optional.of(lit(new BigDecimal(bound)));
    }
    if (type instanceof DateType) {
      return Optional.of(lit(LocalDate.parse(bound.substring(0, DATE_LENGTH))));
    }
    return type instanceof TimestampNTZType ? Optional.of(lit(micros(bound))) : Optional.empty();
  }

  private static boolean isExact(String bound) {
    return bound.length() <= MICROS_DIGITS || bound.endsWith("0");
  }

  private static LocalDateTime micros(String bound) {
    String text = bound.length() > MICROS_DIGITS ? bound.substring(0, MICROS_DIGITS) : bound;
    return LocalDateTime.parse(text.replace(' ', 'T'));
  }

  private static JsonNode read(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Not a bound: " + json, e);
    }
  }
}
