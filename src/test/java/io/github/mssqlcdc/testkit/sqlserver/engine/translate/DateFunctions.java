package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.Product;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.DateParts;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Temporals;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Functions of dates and times; the current moment is fixed once per statement. */
final class DateFunctions {
  private DateFunctions() {}

  static Map<String, FunctionRule> rules() {
    Map<String, FunctionRule> rules = new HashMap<>();
    rules.put("GETDATE", call -> datetime(call, call.environment().now()));
    rules.put("CURRENT_TIMESTAMP", call -> datetime(call, call.environment().now()));
    rules.put("GETUTCDATE", call -> datetime(call, utc(call)));
    rules.put("SYSDATETIME", call -> datetime2(call, call.environment().now()));
    rules.put("SYSUTCDATETIME", call -> datetime2(call, utc(call)));
    rules.put("SYSDATETIMEOFFSET", DateFunctions::offset);
    rules.put("TODATETIMEOFFSET", DateFunctions::withOffset);
    rules.put("CURRENT_TIMEZONE_ID", DateFunctions::timeZone);
    rules.put("DATEPART", DateFunctions::datePart);
    rules.put("DATEADD", DateFunctions::dateAdd);
    rules.put("DATEDIFF", call -> dateDiff(call, Types.INT));
    rules.put("DATEDIFF_BIG", call -> dateDiff(call, Types.BIGINT));
    for (String part : List.of("YEAR", "MONTH", "DAY")) {
      rules.put(part, call -> part(call, part, call.argument(0)));
    }
    return rules;
  }

  private static OffsetDateTime utc(FunctionCall call) {
    return call.environment().now().withOffsetSameInstant(ZoneOffset.UTC);
  }

  private static Typed datetime(FunctionCall call, OffsetDateTime now) throws SqlServerError {
    call.require(0, 0);
    return Typed.bound(Temporals.datetime(now.toLocalDateTime()), Types.DATETIME);
  }

  private static Typed datetime2(FunctionCall call, OffsetDateTime now) throws SqlServerError {
    call.require(0, 0);
    LocalDateTime local = now.toLocalDateTime();
    return Typed.bound(local.withNano(local.getNano() / 100 * 100), Types.DATETIME2);
  }

  private static Typed offset(FunctionCall call) throws SqlServerError {
    call.require(0, 0);
    OffsetDateTime now = call.environment().now();
    return Typed.bound(now.withNano(now.getNano() / 100 * 100), Types.DATETIMEOFFSET);
  }

  /** The offset as minutes only; the result has the value's fraction digits. */
  private static Typed withOffset(FunctionCall call) throws SqlServerError {
    call.require(2, 2);
    Typed value = call.argument(0);
    int digits = value.type().name() == SqlTypeName.DATETIME ? 3 : value.type().scale();
    return call.castCall(
        FunctionCall.own("withOffset"),
        new DataType(SqlTypeName.DATETIMEOFFSET, 0, 0, digits, null),
        moment(call, value),
        call.argument(1, Types.INT));
  }

  private static Typed timeZone(FunctionCall call) throws SqlServerError {
    call.require(0, 0);
    if (!call.environment().product().has(Product.SQL_SERVER_2022)) {
      throw Errors.unknownFunction(call.name());
    }
    return Typed.bound(call.environment().timeZoneId(), DataType.of(SqlTypeName.VARCHAR, 128));
  }

  private static Typed datePart(FunctionCall call) throws SqlServerError {
    call.require(2, 2);
    String word = call.word(0);
    Typed value = call.argument(1);
    if (!word.equalsIgnoreCase("TZOFFSET") && !word.equalsIgnoreCase("TZ")) {
      return part(call, DateParts.of(word).name(), value);
    }
    if (value.type().name() != SqlTypeName.DATETIMEOFFSET) {
      throw new SqlServerError(
          9810,
          16,
          1,
          "The datepart tzoffset is not supported by date function datepart for data type "
              + Types.baseName(value.type())
              + ".");
    }
    return call.call(FunctionCall.own("offsetMinutes"), Types.INT, value);
  }

  private static Typed part(FunctionCall call, String part, Typed value) throws SqlServerError {
    return call.call(FunctionCall.own("datePart"), Types.INT, word(part), moment(call, value));
  }

  private static Typed word(String part) {
    return Typed.literal(part, DataType.of(SqlTypeName.VARCHAR, 20));
  }

  private static Typed moment(FunctionCall call, Typed value) throws SqlServerError {
    return call.translation().coercion().implicit(value, Types.DATETIME2);
  }

  private static Typed dateAdd(FunctionCall call) throws SqlServerError {
    call.require(3, 3);
    String part = DateParts.of(call.word(0)).name();
    Typed value = call.argument(2);
    DataType type = Types.isTemporal(value.type()) ? value.type() : Types.DATETIME;
    Typed sum =
        call.call(
            FunctionCall.own("dateAdd"),
            Types.DATETIME2,
            word(part),
            call.argument(1, Types.BIGINT),
            moment(call, value));
    if (type.name() == SqlTypeName.DATETIMEOFFSET) {
      throw Errors.badSyntax("DATEADD");
    }
    return call.translation().coercion().cast(sum, type, 0);
  }

  private static Typed dateDiff(FunctionCall call, DataType type) throws SqlServerError {
    call.require(3, 3);
    String part = DateParts.of(call.word(0)).name();
    Typed start = moment(call, call.argument(1));
    Typed end = moment(call, call.argument(2));
    return call.castCall(FunctionCall.own("dateDiff"), type, word(part), start, end);
  }
}
