package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.Request;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.translate.SystemView;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The batches of the driver's {@code getColumns} and {@code getIndexInfo}: they fill a table
 * variable from a catalogue procedure, which the front end doesn't take. Known by their first
 * words, answered whole.
 */
final class DriverMetadata {
  private static final String COLUMNS = "DECLARE @mssqljdbc_temp_sp_columns_result TABLE(";
  private static final String INDEXES = "DECLARE @temp_sp_statistics TABLE(";
  private static final DataType TEXT = DataType.of(SqlTypeName.VARCHAR, 254);
  private static final DataType NAME = DataType.of(SqlTypeName.NVARCHAR, 128);
  private static final int LARGEST = Integer.MAX_VALUE;

  private final Session session;

  DriverMetadata(Session session) {
    this.session = session;
  }

  /** The answer to a metadata call; empty: the text is none. */
  Optional<SystemView> answer(Request.Parameterized call) {
    if (call.sql().startsWith(COLUMNS)) {
      return Optional.of(columns(pattern(call), text(call, 3)));
    }
    if (call.sql().startsWith(INDEXES)) {
      return Optional.of(indexes(pattern(call)));
    }
    return Optional.empty();
  }

  private static CatalogProcedure.Pattern pattern(Request.Parameterized call) {
    return new CatalogProcedure.Pattern(text(call, 1), text(call, 0));
  }

  private static @Nullable String text(Request.Parameterized call, int parameter) {
    Object value = call.parameters().get(parameter).value();
    return value == null ? null : value.toString();
  }

  private SystemView columns(CatalogProcedure.Pattern pattern, @Nullable String column) {
    ViewBuilder view = columnsOfColumns();
    for (Table table : pattern.tables(session)) {
      int place = 0;
      for (Table.Column each : table.columns()) {
        place++;
        if (column == null || column.equals("%") || each.name().equalsIgnoreCase(column)) {
          describe(view, table, each, place);
        }
      }
    }
    return view.build();
  }

  private static ViewBuilder columnsOfColumns() {
    ViewBuilder view =
        new ViewBuilder()
            .nullable("TABLE_CAT", Types.SYSNAME)
            .nullable("TABLE_SCHEM", Types.SYSNAME)
            .nullable("TABLE_NAME", Types.SYSNAME)
            .nullable("COLUMN_NAME", Types.SYSNAME)
            .nullable("DATA_TYPE", Types.INT)
            .nullable("TYPE_NAME", Types.SYSNAME)
            .nullable("COLUMN_SIZE", Types.INT)
            .nullable("BUFFER_LENGTH", Types.INT)
            .nullable("DECIMAL_DIGITS", Types.INT)
            .nullable("NUM_PREC_RADIX", Types.INT)
            .nullable("NULLABLE", Types.INT)
            .nullable("REMARKS", TEXT)
            .nullable("COLUMN_DEF", DataType.of(SqlTypeName.NVARCHAR, 4000))
            .nullable("SQL_DATA_TYPE", Types.INT)
            .nullable("SQL_DATETIME_SUB", Types.INT)
            .nullable("CHAR_OCTET_LENGTH", Types.INT)
            .nullable("ORDINAL_POSITION", Types.INT)
            .nullable("IS_NULLABLE", TEXT);
    for (String name : List.of("SCOPE_CATALOG", "SCOPE_SCHEMA", "SCOPE_TABLE")) {
      view.nullable(name, TEXT);
    }
    view.nullable("SOURCE_DATA_TYPE", ViewBuilder.SMALLINT)
        .nullable("IS_AUTOINCREMENT", TEXT)
        .nullable("IS_GENERATEDCOLUMN", TEXT)
        .nullable("SS_IS_SPARSE", ViewBuilder.SMALLINT)
        .nullable("SS_IS_COLUMN_SET", ViewBuilder.SMALLINT);
    for (String name : List.of("UDT_CATALOG", "UDT_SCHEMA", "UDT_ASSEMBLY_TYPE")) {
      view.nullable("SS_" + name + "_NAME", NAME);
    }
    for (String name : List.of("CATALOG_", "SCHEMA_", "")) {
      view.nullable("SS_XML_SCHEMACOLLECTION_" + name + "NAME", NAME);
    }
    return view;
  }

  private void describe(ViewBuilder view, Table table, Table.Column column, int place) {
    DataType type = column.type();
    String name = typeName(type) + (column.identity() == null ? "" : " identity");
    Integer digits = digits(type);
    view.row(
        session.current().name(),
        table.schema(),
        table.name(),
        column.name(),
        odbcType(type.name()),
        name,
        size(type),
        SystemTypes.maxLength(type),
        digits,
        digits == null ? null : 10,
        column.nullable() ? 1 : 0,
        null,
        null,
        odbcType(type.name()),
        null,
        null,
        place,
        column.nullable() ? "YES" : "NO",
        null,
        null,
        null,
        SystemTypes.id(type.name()),
        column.identity() == null ? "NO" : "YES",
        column.stored() ? "NO" : "YES",
        0,
        0,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private static String typeName(DataType type) {
    return type.name() == SqlTypeName.ROWVERSION
        ? "timestamp"
        : type.name().name().toLowerCase(java.util.Locale.ROOT);
  }

  /** ODBC 3's numbers, with those that SQL Server adds. */
  private static int odbcType(SqlTypeName name) {
    return switch (name) {
      case BIT -> -7;
      case TINYINT -> -6;
      case SMALLINT -> 5;
      case INT -> 4;
      case BIGINT -> -5;
      case REAL -> 7;
      case FLOAT -> 6;
      case DECIMAL, MONEY, SMALLMONEY -> 3;
      case NUMERIC -> 2;
      case DATE -> 91;
      case TIME -> -154;
      case DATETIME, SMALLDATETIME, DATETIME2 -> 93;
      case DATETIMEOFFSET -> -155;
      case CHAR -> 1;
      case VARCHAR -> 12;
      case NCHAR -> -8;
      case NVARCHAR -> -9;
      case TEXT -> -1;
      case NTEXT -> -10;
      case XML -> -152;
      case BINARY, ROWVERSION -> -2;
      case VARBINARY -> -3;
      case IMAGE -> -4;
      case UNIQUEIDENTIFIER -> -11;
    };
  }

  private static int size(DataType type) {
    return switch (type.name()) {
      case CHAR, VARCHAR, NCHAR, NVARCHAR, BINARY, VARBINARY ->
          type.length() == DataType.MAX ? LARGEST : type.length();

      case TEXT, IMAGE -> LARGEST;
      case NTEXT -> LARGEST / 2;
      case XML -> 0;
      case UNIQUEIDENTIFIER -> 36;
      case ROWVERSION -> 8;
      default -> SystemTypes.precision(type);
    };
  }

  private static @Nullable Integer digits(DataType type) {
    return switch (type.name()) {
      case TINYINT, SMALLINT, INT, BIGINT, SMALLDATETIME -> 0;
      case DECIMAL, NUMERIC, MONEY, SMALLMONEY, TIME, DATETIME, DATETIME2, DATETIMEOFFSET ->
          SystemTypes.scale(type);
      default -> null;
    };
  }

  private SystemView indexes(CatalogProcedure.Pattern pattern) {
    ViewBuilder view =
        new ViewBuilder()
            .nullable("TABLE_CAT", Types.SYSNAME)
            .nullable("TABLE_SCHEM", Types.SYSNAME)
            .nullable("TABLE_NAME", Types.SYSNAME)
            .nullable("NON_UNIQUE", ViewBuilder.SMALLINT)
            .nullable("INDEX_QUALIFIER", Types.SYSNAME)
            .nullable("INDEX_NAME", Types.SYSNAME)
            .nullable("TYPE", ViewBuilder.SMALLINT)
            .nullable("ORDINAL_POSITION", ViewBuilder.SMALLINT)
            .nullable("COLUMN_NAME", Types.SYSNAME)
            .nullable("ASC_OR_DESC", DataType.of(SqlTypeName.VARCHAR, 1))
            .nullable("CARDINALITY", Types.INT)
            .nullable("PAGES", Types.INT)
            .nullable("FILTER_CONDITION", TEXT);
    for (Table table : pattern.tables(session)) {
      for (Table.Index index : table.indexes()) {
        for (int i = 0; i < index.columns().size(); i++) {
          view.row(
              session.current().name(),
              table.schema(),
              table.name(),
              index.unique() ? 0 : 1,
              table.name(),
              index.name(),
              index.clustered() ? 1 : 3,
              i + 1,
              index.columns().get(i),
              "A",
              null,
              null,
              null);
        }
      }
    }
    return view.build();
  }
}
