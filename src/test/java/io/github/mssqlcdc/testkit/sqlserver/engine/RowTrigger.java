package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.registry.JvmRegistry;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.h2.tools.TriggerAdapter;
import org.jspecify.annotations.Nullable;

/**
 * Tells a database's recorder of each row changed. H2 makes its instances; the trigger's name ends
 * in the recorder's key and the table's object id.
 */
public final class RowTrigger extends TriggerAdapter {
  private static final String SEPARATOR = "~";

  private ChangeRecorder recorder;
  private int tableId;

  static String name(String key, int objectId) {
    return "rows" + SEPARATOR + key + SEPARATOR + objectId;
  }

  @Override
  public void init(
      Connection connection,
      String schemaName,
      String triggerName,
      String tableName,
      boolean before,
      int type)
      throws SQLException {
    super.init(connection, schemaName, triggerName, tableName, before, type);
    String[] parts = triggerName.split(SEPARATOR, -1);
    tableId = Integer.parseInt(parts[parts.length - 1]);
    recorder =
        JvmRegistry.find(ChangeRecorder.class, parts[parts.length - 2])
            .orElseThrow(() -> new IllegalStateException("Missing recorder of " + triggerName));
  }

  @Override
  public void fire(Connection connection, @Nullable ResultSet oldRow, @Nullable ResultSet newRow)
      throws SQLException {
    recorder.changed(tableId, oldRow, newRow);
  }
}
