package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.CapturedColumn.Trait;
import io.github.mssqlcdc.type.SqlType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is captured, by CDC's procedure, and what has become of it on the source table, by the
 * catalogue. A login sees in {@code sys.columns} the tables that it may SELECT from; system types
 * are seen by all, but alias types may be hidden, so base types are found by their ids.
 */
final class ColumnCatalog {
  private static final Set<String> DIGITS = Set.of("decimal", "numeric");
  private static final Set<String> FRACTIONS = Set.of("time", "datetime2", "datetimeoffset");
  private static final Set<String> BYTES = Set.of("char", "varchar", "binary", "varbinary");
  private static final Set<String> CHARACTERS = Set.of("nchar", "nvarchar");
  private static final Set<String> IN_CODE_PAGE = Set.of("char", "varchar", "text");

  private ColumnCatalog() {}

  /**
   * A column of the source table.
   *
   * @param place in the table's unique clustered index, from 1; null: it isn't in it
   * @param isInOrder whether rows come in its order, ascending and without NULLs, if it is in it
   */
  private record TableColumn(
      String name,
      @Nullable SqlType type,
      @Nullable String collation,
      Set<Trait> traits,
      @Nullable Integer place,
      boolean isInOrder) {}

  /**
   * Two results: the captured columns; the source table's.
   *
   * <p>A type that is the system's own goes first: CLR types share one system type, and vector is
   * stored as varbinary.
   */
  static Batch batch(CaptureInstance instance) {
    return Batch.of("EXEC sys.sp_cdc_get_captured_columns @capture_instance = ?;", instance.name())
        .add("DECLARE @code_page int = CAST(COLLATIONPROPERTY(CAST(")
        .add("DATABASEPROPERTYEX(DB_NAME(), N'Collation') AS nvarchar(128)),")
        .add("N'CodePage') AS int);")
        .add("SELECT c.column_id, c.name, COALESCE(own.name, base.name) AS type_name,")
        .add("c.max_length, c.precision, c.scale, c.collation_name,")
        .add("c.is_computed, c.encryption_type, c.is_masked,")
        .add("CASE WHEN CAST(COLLATIONPROPERTY(c.collation_name, N'CodePage') AS int)")
        .add("<> @code_page THEN 1 ELSE 0 END AS is_in_other_code_page,")
        .add("k.key_ordinal, CASE WHEN c.is_nullable = 1 OR k.is_descending_key = 1")
        .add("OR k.partition_ordinal > 0 THEN 1 ELSE 0 END AS is_out_of_order")
        .add("FROM sys.columns AS c")
        .add("LEFT JOIN sys.types AS own")
        .add("ON own.user_type_id = c.user_type_id AND own.is_user_defined = 0")
        .add("LEFT JOIN sys.types AS base")
        .add("ON base.user_type_id = c.system_type_id AND base.is_user_defined = 0")
        .add("LEFT JOIN sys.indexes AS i")
        .add("ON i.object_id = c.object_id AND i.type = 1 AND i.is_unique = 1")
        .add("LEFT JOIN sys.index_columns AS k ON k.object_id = i.object_id")
        .add("AND k.index_id = i.index_id AND k.column_id = c.column_id AND k.key_ordinal > 0")
        .add("WHERE c.object_id = ?;", instance.sourceTableId());
  }

  static List<CapturedColumn> read(CaptureInstance instance, Results results) throws SQLException {
    List<CapturedColumn> captured = captured(results.next());
    Map<Integer, TableColumn> table = table(results.next());
    if (table.isEmpty()) {
      // otherwise every column would pass for a dropped one, and a snapshot read NULLs
      throw new CdcException(
          ErrorCode.SOURCE_FAILED,
          "Cannot see the columns of "
              + instance.description()
              + " in sys.columns. If VIEW DEFINITION is denied to the login, revoke that: SELECT"
              + " on the table is enough to see them");
    }
    boolean isInKeyOrder = isInKeyOrder(instance, table.values());
    List<CapturedColumn> columns = new ArrayList<>();
    for (CapturedColumn column : captured) {
      TableColumn found = table.get(column.columnId());
      if (isInKeyOrder && found != null && found.place() != null) {
        found.traits().add(Trait.CLUSTERED);
      }
      columns.add(onTable(column, found));
    }
    columns.sort(Comparator.comparingInt(CapturedColumn::ordinal));
    return List.copyOf(columns);
  }

  /** Whether the table is stored in the order of the columns by which CDC knows its rows. */
  private static boolean isInKeyOrder(CaptureInstance instance, Collection<TableColumn> table) {
    Map<Integer, TableColumn> index = new TreeMap<>();
    for (TableColumn column : table) {
      Integer place = column.place();
      if (place != null) {
        index.put(place, column);
      }
    }
    return !index.isEmpty()
        && index.values().stream().allMatch(TableColumn::isInOrder)
        && index.values().stream().map(TableColumn::name).toList().equals(instance.keyColumns());
  }

  private static CapturedColumn onTable(CapturedColumn captured, @Nullable TableColumn column) {
    if (column == null || !column.name().equalsIgnoreCase(captured.name())) {
      return new CapturedColumn(
          captured.name(),
          captured.columnId(),
          captured.ordinal(),
          captured.type(),
          captured.recorded(),
          null,
          Set.of(Trait.DROPPED));
    }
    return new CapturedColumn(
        captured.name(),
        captured.columnId(),
        captured.ordinal(),
        column.type() == null ? captured.type() : column.type(),
        captured.recorded(),
        column.collation(),
        column.traits());
  }

  private static List<CapturedColumn> captured(ResultSet row) throws SQLException {
    List<CapturedColumn> columns = new ArrayList<>();
    while (row.next()) {
      String type = row.getString(7).toLowerCase(Locale.ROOT);
      int digits = DIGITS.contains(type) ? row.getInt(9) : 0;
      // the fraction's digits of a time stand in a column of their own
      int scale =
          FRACTIONS.contains(type) ? row.getInt(12) : DIGITS.contains(type) ? row.getInt(11) : 0;
      boolean hasLength = BYTES.contains(type) || CHARACTERS.contains(type);
      columns.add(
          new CapturedColumn(
              row.getString(4),
              row.getInt(5),
              row.getInt(6),
              new SqlType(type, hasLength ? row.getInt(8) : 0, digits, scale)));
    }
    return columns;
  }

  private static Map<Integer, TableColumn> table(ResultSet row) throws SQLException {
    Map<Integer, TableColumn> columns = new HashMap<>();
    while (row.next()) {
      String type = row.getString(3);
      columns.put(
          row.getInt(1),
          new TableColumn(
              row.getString(2),
              type == null ? null : type(type, row.getInt(4), row.getInt(5), row.getInt(6)),
              row.getString(7),
              traits(row, type),
              Results.integer(row, 12),
              !row.getBoolean(13)));
    }
    return columns;
  }

  private static Set<Trait> traits(ResultSet row, @Nullable String type) throws SQLException {
    Set<Trait> traits = EnumSet.noneOf(Trait.class);
    if (row.getBoolean(8)) {
      traits.add(Trait.COMPUTED);
    }
    if (Results.integer(row, 9) != null) {
      traits.add(Trait.ENCRYPTED);
    }
    if (row.getBoolean(10)) {
      traits.add(Trait.MASKED);
    }
    if (row.getBoolean(11) && type != null && IN_CODE_PAGE.contains(type)) {
      traits.add(Trait.OTHER_CODE_PAGE);
    }
    return traits;
  }

  private static SqlType type(String name, int bytes, int precision, int scale) {
    boolean isDecimal = DIGITS.contains(name);
    return new SqlType(
        name,
        length(name, bytes),
        isDecimal ? precision : 0,
        isDecimal || FRACTIONS.contains(name) ? scale : 0);
  }

  private static int length(String name, int bytes) {
    if (bytes == SqlType.MAX || BYTES.contains(name)) {
      return bytes;
    }
    return CHARACTERS.contains(name) || name.equals("sysname") ? bytes / Character.BYTES : 0;
  }
}
