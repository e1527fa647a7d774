package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcSettings.CommandIds;
import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseStore.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The change rows of one transaction. Command ids count what is written for it, over all instances:
 * two instances of a table number the same change differently. Not thread-safe.
 */
final class TransactionRows {
  private final CdcSettings settings;
  private final LogLsn commit;
  private final Map<String, InstanceRows> instances = new HashMap<>();
  private int lastCommandId;

  TransactionRows(CdcSettings settings, LogLsn commit) {
    this.settings = settings;
    this.commit = commit;
  }

  List<Statement> of(RowOperation operation, CaptureInstance instance) {
    InstanceRows target = instances.computeIfAbsent(instance.name(), n -> rows(instance));
    List<ChangeRow> rows = target.images.rows(operation);
    if (rows.isEmpty()) {
      return List.of();
    }
    if (!operation.sameCommand() || target.commandId == 0) {
      target.commandId = ++lastCommandId;
    }
    return rows.stream()
        .map(
            row ->
                ChangeTable.insert(
                    target.insertSql, commit, operation.sequence(), commandId(target), row))
        .toList();
  }

  private @Nullable Integer commandId(InstanceRows target) {
    return settings.commandIds() == CommandIds.COLUMN ? (Integer) target.commandId : null;
  }

  private InstanceRows rows(CaptureInstance instance) {
    return new InstanceRows(
        new ImageBuilder(settings, instance),
        ChangeTable.insertSql(instance, settings.commandIds()));
  }

  private static final class InstanceRows {
    private final ImageBuilder images;
    private final String insertSql;
    private int commandId;

    InstanceRows(ImageBuilder images, String insertSql) {
      this.images = images;
      this.insertSql = insertSql;
    }
  }
}
