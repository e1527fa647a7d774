package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parameter declarations of sp_executesql and its like: {@code @P0 nvarchar(4000),@P1 int}. */
final class Declarations {
  private static final Pattern DECLARATION =
      Pattern.compile(
          "\\s*(@\\w+)\\s+(?:as\\s+)?\\[?([a-z_]\\w*)]?\\s*(?:\\(\\s*(max|\\d+)\\s*(?:,\\s*(\\d+)\\s*)?\\))?"
              + "\\s*(?:out|output)?\\s*(,|$)",
          Pattern.CASE_INSENSITIVE);
  private static final Map<String, SqlTypeName> ALIASES =
      Map.of(
          "integer", SqlTypeName.INT,
          "dec", SqlTypeName.DECIMAL,
          "timestamp", SqlTypeName.ROWVERSION,
          "sysname", SqlTypeName.NVARCHAR);
  private static final int SYSNAME_LENGTH = 128;
  private static final int LARGEST_REAL = 24;

  /**
   * @param name with {@code @}
   */
  record Declaration(String name, DataType type) {}

  private Declarations() {}

  /**
   * @throws SqlServerError 102 or 2715, as a server answers to what it can't read
   */
  static List<Declaration> parse(String text) throws SqlServerError {
    List<Declaration> declarations = new ArrayList<>();
    Matcher matcher = DECLARATION.matcher(text);
    int position = 0;
    while (position < text.length() && !text.substring(position).isBlank()) {
      if (!matcher.find(position) || matcher.start() != position) {
        throw new SqlServerError(
            102, 15, 1, "Incorrect syntax near '" + text.substring(position) + "'.");
      }
      declarations.add(new Declaration(matcher.group(1), type(matcher, declarations.size() + 1)));
      position = matcher.end();
    }
    return List.copyOf(declarations);
  }

  private static DataType type(Matcher matcher, int ordinal) throws SqlServerError {
    String word = matcher.group(2).toLowerCase(Locale.ROOT);
    SqlTypeName name = name(word, ordinal);
    String first = matcher.group(3);
    int number = first == null ? 0 : first.equalsIgnoreCase("max") ? DataType.MAX : number(first);
    int second = matcher.group(4) == null ? 0 : number(matcher.group(4));
    return switch (name) {
      case CHAR, VARCHAR, NCHAR, NVARCHAR, BINARY, VARBINARY ->
          DataType.of(name, word.equals("sysname") ? SYSNAME_LENGTH : first == null ? 1 : number);
      case DECIMAL, NUMERIC -> new DataType(name, 0, first == null ? 18 : number, second, null);
      case TIME, DATETIME2, DATETIMEOFFSET ->
          new DataType(name, 0, 0, first == null ? 7 : number, null);
      case FLOAT ->
          DataType.of(
              first != null && number <= LARGEST_REAL ? SqlTypeName.REAL : SqlTypeName.FLOAT);
      default -> DataType.of(name);
    };
  }

  private static int number(String digits) {
    return Integer.parseInt(digits);
  }

  private static SqlTypeName name(String word, int ordinal) throws SqlServerError {
    SqlTypeName alias = ALIASES.get(word);
    if (alias != null) {
      return alias;
    }
    for (SqlTypeName name : SqlTypeName.values()) {
      if (name.name().equalsIgnoreCase(word)) {
        return name;
      }
    }
    throw new SqlServerError(
        2715,
        16,
        3,
        "Column, parameter, or variable #" + ordinal + ": Cannot find data type " + word + ".");
  }
}
