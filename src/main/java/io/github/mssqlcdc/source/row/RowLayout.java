package io.github.mssqlcdc.source.row;

import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.ReadColumn;
import io.github.mssqlcdc.type.ReadColumns;
import io.github.mssqlcdc.type.SelectColumn;
import io.github.mssqlcdc.type.SelectForm;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampType;

/**
 * Which columns a read hands on: metadata columns and captured ones, in the schema's order.
 *
 * @param schema the rows as Spark sees them
 * @param captured the schema's fields that aren't metadata columns, in its order
 * @param large those among these that some images don't carry, by their places, from 0
 */
public record RowLayout(
    StructType schema, List<ReadColumn> captured, Map<Integer, LargeColumn> large)
    implements Serializable {

  /** Columns of bronze that no captured column may be called. */
  private static final Set<String> RESERVED =
      Set.of("_batch_id", "_snapshot", "_chunk", "_history");

  /** What the columns begin with that bronze's rows have for a while, as silver is made of them. */
  private static final String WORKING = "_mssql_cdc_";

  /** Metadata columns that a read has on request. */
  public enum Extra {
    COMMAND_ID,
    UPDATE_MASK
  }

  public RowLayout {
    captured = List.copyOf(captured);
    large = Map.copyOf(large);
  }

  /**
   * All captured columns with inferred types, behind the metadata columns.
   *
   * @throws InvalidRequestException if a captured column has a metadata column's name, or two have
   *     one name for Spark
   * @throws io.github.mssqlcdc.error.CdcException UNSUPPORTED_TYPE if one can't be read
   */
  public static StructType inferred(Set<Extra> extras, List<CapturedColumn> captured) {
    captured.forEach(column -> refuseReserved(column.name()));
    List<ReadColumn> columns = ReadColumns.inferred(captured);
    return schema(extras, captured.stream().anyMatch(LargeColumn::is), ReadColumns.schema(columns));
  }

  /**
   * Names of the columns that {@link #inferred} leads to, whether their types can be read or not.
   */
  public static List<String> offered(List<CapturedColumn> captured) {
    Stream<String> names =
        captured.stream().filter(column -> !column.isComputed()).map(CapturedColumn::name);
    return (captured.stream().anyMatch(LargeColumn::is)
            ? Stream.concat(Stream.of(MetadataColumn.UNKNOWN_COLUMNS.field().name()), names)
            : names)
        .toList();
  }

  /**
   * The columns of a DDL as written there, behind the metadata columns. Whether they are captured,
   * in types that these hold, shows when the query is planned.
   *
   * @param captured asked only where one of the columns may be large, which its type in Spark
   *     doesn't tell
   * @throws InvalidRequestException if the text is no DDL, or a column has a metadata column's
   *     name, or two have one name for Spark
   */
  public static StructType declared(
      Set<Extra> extras, String ddl, Supplier<List<CapturedColumn>> captured) {
    StructType columns = ReadColumns.parse(ddl);
    for (String name : columns.fieldNames()) {
      refuseReserved(name);
    }
    List<String> candidates =
        Arrays.stream(columns.fields())
            .filter(RowLayout::holdsLargeValues)
            .map(StructField::name)
            .toList();
    return schema(extras, !candidates.isEmpty() && isAnyLarge(candidates, captured.get()), columns);
  }

  /**
   * How rows of this schema are read: it may leave columns out and order them as it likes; a type
   * may be wider than the inferred one.
   *
   * @throws InvalidRequestException if a column isn't captured, or a type doesn't hold the captured
   *     one
   */
  public static RowLayout of(StructType schema, List<CapturedColumn> captured) {
    List<StructField> named = new ArrayList<>();
    for (StructField field : schema.fields()) {
      Optional<MetadataColumn> metadata = MetadataColumn.find(field.name());
      if (metadata.isPresent()) {
        requireType(field, metadata.get());
      } else {
        named.add(field);
      }
    }
    List<ReadColumn> columns =
        ReadColumns.declared(captured, new StructType(named.toArray(StructField[]::new)));
    return new RowLayout(schema, columns, large(columns, captured));
  }

  /** The columns to ask the source table for, in order. */
  public List<SelectColumn> selected() {
    return captured.stream()
        .filter(ReadColumn::isSelected)
        .map(column -> new SelectColumn(column.name(), column.form()))
        .toList();
  }

  /** The schema of a snapshot that is read in chunks: each row ends with its chunk's number. */
  public static StructType inChunks(StructType schema) {
    return schema.add(MetadataColumn.CHUNK.field());
  }

  /** The same rows read from the source table: what isn't on it any more reads NULL. */
  public RowLayout onTable(List<CapturedColumn> columns) {
    Set<String> gone = new HashSet<>();
    for (CapturedColumn column : columns) {
      if (!column.isOnTable()) {
        gone.add(column.name());
      }
    }
    return new RowLayout(
        schema,
        captured.stream()
            .map(column -> gone.contains(column.name()) ? column.absent() : column)
            .toList(),
        large);
  }

  /** The columns to ask the change table for, in order: its mask first, if needed. */
  public List<SelectColumn> selectedOfChanges() {
    return readsMask()
        ? Stream.concat(
                Stream.of(new SelectColumn(SqlServer.UPDATE_MASK, SelectForm.COLUMN)),
                selected().stream())
            .toList()
        : selected();
  }

  /** Whether the rows show the update mask, or what it tells of large columns. */
  boolean readsMask() {
    return has(MetadataColumn.UPDATE_MASK)
        || (has(MetadataColumn.UNKNOWN_COLUMNS)
            && large.values().stream().anyMatch(LargeColumn::isToldByMask));
  }

  private boolean has(MetadataColumn column) {
    return Arrays.stream(schema.fieldNames())
        .anyMatch(name -> MetadataColumn.find(name).filter(column::equals).isPresent());
  }

  private static StructType schema(Set<Extra> extras, boolean hasLarge, StructType captured) {
    requireDistinct(captured);
    StructType schema = new StructType();
    for (MetadataColumn column : MetadataColumn.values()) {
      boolean isThere =
          switch (column) {
            case COMMAND_ID -> extras.contains(Extra.COMMAND_ID);
            case UPDATE_MASK -> extras.contains(Extra.UPDATE_MASK);
            case UNKNOWN_COLUMNS -> hasLarge;
            case CHUNK -> false;
            default -> true;
          };
      if (isThere) {
        schema = schema.add(column.field());
      }
    }
    for (StructField field : captured.fields()) {
      schema = schema.add(field);
    }
    return schema;
  }

  private static Map<Integer, LargeColumn> large(
      List<ReadColumn> columns, List<CapturedColumn> captured) {
    Map<String, LargeColumn> byName = new HashMap<>();
    for (CapturedColumn column : captured) {
      LargeColumn one = LargeColumn.is(column) ? LargeColumn.of(column) : null;
      if (one != null) {
        byName.put(column.name(), one);
      }
    }
    Map<Integer, LargeColumn> large = new HashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      LargeColumn column = byName.get(columns.get(i).name());
      if (column != null) {
        large.put(i, column);
      }
    }
    return large;
  }

  private static boolean holdsLargeValues(StructField field) {
    return field.dataType() instanceof StringType
        || field.dataType() instanceof BinaryType
        // may be taken from text
        || field.dataType() instanceof TimestampType;
  }

  private static boolean isAnyLarge(List<String> names, List<CapturedColumn> captured) {
    return names.stream()
        .anyMatch(name -> find(name, captured).filter(LargeColumn::is).isPresent());
  }

  /** An exact match first; a name that stays unknown is refused when the rows are read. */
  private static Optional<CapturedColumn> find(String name, List<CapturedColumn> captured) {
    return captured.stream()
        .filter(column -> column.name().equals(name))
        .findFirst()
        .or(() -> captured.stream().filter(c -> c.name().equalsIgnoreCase(name)).findFirst());
  }

  private static void refuseReserved(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (MetadataColumn.find(name).isPresent()
        || RESERVED.contains(lower)
        || lower.startsWith(WORKING)) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_OPTION,
          "Unsupported column name '"
              + name
              + "': the library's own column is called so. List the columns to read in option"
              + " 'columns' and leave it out");
    }
  }

  /**
   * Looks at a schema that a user gives, before anything is read. Whether its columns are captured
   * shows when the query is planned.
   *
   * @throws InvalidRequestException if a column stands there twice, in whatever case, or is one
   *     that only rows read in chunks have
   */
  public static void check(StructType schema) {
    checkInChunks(schema);
    for (String name : schema.fieldNames()) {
      if (MetadataColumn.find(name).filter(MetadataColumn.CHUNK::equals).isPresent()) {
        throw new InvalidRequestException(
            ErrorCode.INVALID_OPTION,
            "Unsupported column '"
                + name
                + "' of the schema: only a snapshot that is read with option 'snapshotChunks' has"
                + " it. Leave it out");
      }
    }
  }

  /** The same for rows that are read in chunks. */
  public static void checkInChunks(StructType schema) {
    requireDistinct(schema);
  }

  /** Neither Spark nor Delta has two columns whose names differ in case only. */
  private static void requireDistinct(StructType captured) {
    Map<String, String> names = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String name : captured.fieldNames()) {
      String other = names.putIfAbsent(name, name);
      if (other != null) {
        throw new InvalidRequestException(
            ErrorCode.INVALID_OPTION,
            "Unsupported columns '"
                + other
                + "' and '"
                + name
                + "': Spark takes both for one name. List the columns to read in option 'columns',"
                + " or in the schema given, with one of both by its exact name");
      }
    }
  }

  private static void requireType(StructField field, MetadataColumn column) {
    if (!field.dataType().sql().equals(column.type().sql())) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_OPTION,
          "Invalid type "
              + field.dataType().sql()
              + " of column '"
              + field.name()
              + "': it is "
              + column.type().sql());
    }
  }
}
