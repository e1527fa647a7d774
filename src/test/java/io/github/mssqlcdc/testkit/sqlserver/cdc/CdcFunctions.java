package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.SessionContext;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.ColumnInfo;
import java.math.BigInteger;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The {@code sys.fn_cdc_*} functions, and what stands behind {@code
 * cdc.fn_cdc_get_all_changes_<instance>}. All but min LSN and the changes are open to everybody.
 * Thread-safe.
 */
public final class CdcFunctions {
  private static final Map<String, String> OPERATIONS =
      Map.of("all", "1, 2, 4", "all update old", "1, 2, 3, 4");
  private static final BigInteger LSN_SPACE = BigInteger.ONE.shiftLeft(8 * LogLsn.BYTES);

  private final CdcDatabase database;
  private final InstanceCatalog instances;
  private final InstanceMetadata metadata;
  private final LsnTimeMapping map;

  CdcFunctions(
      CdcDatabase database,
      InstanceCatalog instances,
      InstanceMetadata metadata,
      LsnTimeMapping map) {
    this.database = database;
    this.instances = instances;
    this.metadata = metadata;
    this.map = map;
  }

  /** {@code sys.fn_cdc_get_max_lsn()}: the map's highest LSN; null if it is empty. */
  public byte @Nullable [] maxLsn() {
    return database.enabled() ? map.maxLsn() : null;
  }

  /**
   * {@code sys.fn_cdc_get_min_lsn(instance)}: the instance's first LSN; zero before capture has
   * seen it, for an unknown instance and for a caller without access.
   */
  public byte[] minLsn(SessionContext session, @Nullable String instance) {
    return find(instance)
        .filter(found -> Access.mayRead(session, found))
        .map(metadata::startLsn)
        .orElseGet(() -> new byte[LogLsn.BYTES]);
  }

  /** {@code sys.fn_cdc_map_lsn_to_time(lsn)}: null if the map doesn't hold this LSN. */
  public @Nullable LocalDateTime mapLsnToTime(byte @Nullable [] lsn) {
    return lsn == null || !database.enabled() ? null : map.endTime(lsn);
  }

  /** {@code sys.fn_cdc_map_time_to_lsn(operator, time)}: null if no entry fits. */
  public byte @Nullable [] mapTimeToLsn(@Nullable String operator, @Nullable LocalDateTime time) {
    if (operator == null || time == null || !database.enabled()) {
      return null;
    }
    LocalDateTime rounded = ColumnValues.datetime(time);
    return switch (operator.trim().toLowerCase(Locale.ROOT)) {
      case "largest less than" -> map.largest("<", rounded);
      case "largest less than or equal" -> map.largest("<=", rounded);
      case "smallest greater than" -> map.smallest(">", rounded);
      case "smallest greater than or equal" -> map.smallest(">=", rounded);
      default -> null;
    };
  }

  /** {@code sys.fn_cdc_increment_lsn(lsn)}. */
  public static byte @Nullable [] increment(byte @Nullable [] lsn) {
    return lsn == null ? null : add(lsn, BigInteger.ONE);
  }

  /** {@code sys.fn_cdc_decrement_lsn(lsn)}. */
  public static byte @Nullable [] decrement(byte @Nullable [] lsn) {
    return lsn == null ? null : add(lsn, BigInteger.ONE.negate());
  }

  /** {@code sys.fn_cdc_get_column_ordinal(instance, column)}: from 1; null if unknown. */
  public @Nullable Integer columnOrdinal(@Nullable String instance, @Nullable String column) {
    List<ColumnInfo> columns = find(instance).map(CaptureInstance::columns).orElse(List.of());
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equalsIgnoreCase(column)) {
        return i + 1;
      }
    }
    return null;
  }

  /** {@code sys.fn_cdc_is_bit_set(position, mask)}. */
  public static boolean isBitSet(int position, byte @Nullable [] mask) {
    return mask != null && UpdateMask.isSet(position, mask);
  }

  /**
   * The storage query that {@code cdc.fn_cdc_get_all_changes_<instance>(from, to, option)} stands
   * for.
   *
   * @throws SqlServerError 208 for an unknown instance, 229 without access, 313 for a bad range or
   *     option
   */
  public String allChanges(
      SessionContext session,
      String instance,
      byte @Nullable [] from,
      byte @Nullable [] to,
      @Nullable String option)
      throws SqlServerError {
    CaptureInstance found = find(instance).orElseThrow(() -> CdcErrors.noChangesFunction(instance));
    if (!Access.mayRead(session, found)) {
      throw CdcErrors.functionDenied(database.name());
    }
    String rows = option == null ? "" : option.trim().toLowerCase(Locale.ROOT);
    if (!OPERATIONS.containsKey(rows)
        || !inOrder(metadata.startLsn(found), from, to, map.maxLsn())) {
      throw CdcErrors.badRange();
    }
    return changesQuery(found, from, to, OPERATIONS.get(rows));
  }

  private static boolean inOrder(byte @Nullable []... lsns) {
    for (int i = 0; i < lsns.length; i++) {
      if (lsns[i] == null || (i > 0 && Arrays.compareUnsigned(lsns[i - 1], lsns[i]) > 0)) {
        return false;
      }
    }
    return true;
  }

  private static String changesQuery(
      CaptureInstance instance, byte[] from, byte[] to, String operations) {
    StringBuilder sql =
        new StringBuilder("SELECT ")
            .append("\"__$start_lsn\", \"__$seqval\", \"__$operation\", \"__$update_mask\"");
    instance.columns().forEach(column -> sql.append(", ").append(Sql.quote(column.name())));
    return sql.append(" FROM ")
        .append(Sql.cdcTable(instance.changeTable()))
        .append(" WHERE \"__$start_lsn\" BETWEEN ")
        .append(literal(from))
        .append(" AND ")
        .append(literal(to))
        .append(" AND \"__$operation\" IN (")
        .append(operations)
        .append(")")
        .toString();
  }

  private static String literal(byte[] value) {
    return "X'" + HexFormat.of().formatHex(value) + "'";
  }

  private Optional<CaptureInstance> find(@Nullable String instance) {
    return instance == null ? Optional.empty() : instances.find(instance.trim());
  }

  private static byte[] add(byte[] lsn, BigInteger step) {
    BigInteger sum = new BigInteger(1, Arrays.copyOf(lsn, LogLsn.BYTES)).add(step).mod(LSN_SPACE);
    byte[] bytes = sum.toByteArray();
    byte[] result = new byte[LogLsn.BYTES];
    int length = Math.min(bytes.length, LogLsn.BYTES);
    System.arraycopy(bytes, bytes.length - length, result, LogLsn.BYTES - length, length);
    return result;
  }
}
