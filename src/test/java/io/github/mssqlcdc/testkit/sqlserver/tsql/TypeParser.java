package io.github.mssqlcdc.testkit.sqlserver.tsql;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses a declared type. */
final class TypeParser {
  private static final Map<String, String> SYNONYMS =
      Map.ofEntries(
          Map.entry("INTEGER", "INT"),
          Map.entry("DEC", "DECIMAL"),
          Map.entry("TIMESTAMP", "ROWVERSION"),
          Map.entry("CHARACTER", "CHAR"));
  private static final Set<String> WORDS = Set.of("SYSNAME", "DOUBLE", "NATIONAL");

  private final Tokens tokens;

  TypeParser(Tokens tokens) {
    this.tokens = tokens;
  }

  /** Whether the type that comes next is one that a user has made, to be found in a catalogue. */
  boolean startsAlias() {
    if (tokens.isWord("SYS") && tokens.peek(1).isOperator(".")) {
      return false;
    }
    if (tokens.peek(1).isOperator(".")) {
      return true;
    }
    String word = tokens.peek().value().toUpperCase(Locale.ROOT);
    return tokens.peek().isName()
        && !WORDS.contains(word)
        && !SYNONYMS.containsKey(word)
        && Arrays.stream(SqlTypeName.values()).noneMatch(name -> name.name().equals(word));
  }

  /**
   * @param defaultLength of a character or binary type without a length: 1 in declarations, 30 in
   *     CAST and CONVERT
   */
  DataType parse(int defaultLength) throws SqlServerError {
    if (tokens.accept("DOUBLE", "PRECISION")) {
      return DataType.of(SqlTypeName.FLOAT);
    }
    boolean national = tokens.accept("NATIONAL");
    String word = tokens.expectName().toUpperCase(Locale.ROOT);
    if (word.equals("SYS") && tokens.acceptOperator(".")) {
      word = tokens.expectName().toUpperCase(Locale.ROOT);
    }
    if (word.equals("SYSNAME")) {
      return DataType.of(SqlTypeName.NVARCHAR, 128);
    }
    word = SYNONYMS.getOrDefault(word, word);
    if (tokens.accept("VARYING")) {
      word = "VAR" + word;
    }
    return sized(baseType(national ? "N" + word : word), defaultLength);
  }

  private SqlTypeName baseType(String word) throws SqlServerError {
    try {
      return SqlTypeName.valueOf(word);
    } catch (IllegalArgumentException e) {
      throw new SqlServerError(
          2715,
          16,
          6,
          "Column, parameter, or variable #1: Cannot find data type "
              + word.toLowerCase(Locale.ROOT)
              + ".");
    }
  }

  private DataType sized(SqlTypeName name, int defaultLength) throws SqlServerError {
    return switch (name) {
      case CHAR, VARCHAR, NCHAR, NVARCHAR, BINARY, VARBINARY ->
          DataType.of(name, length(defaultLength));
      case DECIMAL, NUMERIC -> decimal(name);
      case TIME, DATETIME2, DATETIMEOFFSET -> {
        Integer scale = parameter();
        yield new DataType(name, 0, 0, scale == null ? 7 : scale, null);
      }
      case FLOAT -> {
        Integer bits = parameter();
        yield DataType.of(bits != null && bits <= 24 ? SqlTypeName.REAL : SqlTypeName.FLOAT);
      }
      default -> DataType.of(name);
    };
  }

  private int length(int defaultLength) throws SqlServerError {
    if (!tokens.isOperator("(")) {
      return defaultLength;
    }
    tokens.expectOperator("(");
    int length = tokens.accept("MAX") ? DataType.MAX : tokens.expectInteger();
    tokens.expectOperator(")");
    return length;
  }

  private DataType decimal(SqlTypeName name) throws SqlServerError {
    int precision = 18;
    int scale = 0;
    if (tokens.acceptOperator("(")) {
      precision = tokens.expectInteger();
      scale = tokens.acceptOperator(",") ? tokens.expectInteger() : 0;
      tokens.expectOperator(")");
    }
    return new DataType(name, 0, precision, scale, null);
  }

  private @Nullable Integer parameter() throws SqlServerError {
    if (!tokens.acceptOperator("(")) {
      return null;
    }
    int value = tokens.expectInteger();
    tokens.expectOperator(")");
    return value;
  }
}
