package io.github.mssqlcdc.delta.table;

import io.delta.kernel.data.ColumnVector;
import io.delta.kernel.data.ColumnarBatch;
import io.delta.kernel.data.Row;
import io.delta.kernel.defaults.internal.json.JsonUtils;
import io.delta.kernel.engine.Engine;
import io.delta.kernel.engine.ExpressionHandler;
import io.delta.kernel.engine.FileSystemClient;
import io.delta.kernel.engine.JsonHandler;
import io.delta.kernel.engine.ParquetHandler;
import io.delta.kernel.expressions.Predicate;
import io.delta.kernel.types.StructType;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.FileStatus;
import io.github.mssqlcdc.registry.JvmRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.delta.DeltaLog;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Kernel's engine, but its commits go through the log store of this session, as Delta's own do: one
 * that the session is configured with, for S3 say, Kernel would pass by. They take turns, since on
 * a local file system a rename that must not replace is a look and then a rename, and Delta's store
 * doesn't lock there: of two writers of this process one would lose its commit.
 */
record SharedLogEngine(Engine engine, DeltaLog log, Configuration hadoop) implements Engine {

  @Override
  public ExpressionHandler getExpressionHandler() {
    return engine.getExpressionHandler();
  }

  @Override
  public JsonHandler getJsonHandler() {
    return new SharedLog(engine.getJsonHandler());
  }

  @Override
  public FileSystemClient getFileSystemClient() {
    return engine.getFileSystemClient();
  }

  @Override
  public ParquetHandler getParquetHandler() {
    return engine.getParquetHandler();
  }

  /** One commit of ours to a table at a time. */
  private static final class Turn {}

  private final class SharedLog implements JsonHandler {
    private final JsonHandler json;

    SharedLog(JsonHandler json) {
      this.json = json;
    }

    @Override
    public ColumnarBatch parseJson(
        ColumnVector texts, StructType schema, Optional<ColumnVector> selection) {
      return json.parseJson(texts, schema, selection);
    }

    @Override
    public CloseableIterator<ColumnarBatch> readJsonFiles(
        CloseableIterator<FileStatus> files, StructType schema, Optional<Predicate> predicate)
        throws IOException {
      return json.readJsonFiles(files, schema, predicate);
    }

    @Override
    public void writeJsonFileAtomically(String path, CloseableIterator<Row> rows, boolean overwrite)
        throws IOException {
      List<String> lines = new ArrayList<>();
      try (rows) {
        while (rows.hasNext()) {
          lines.add(JsonUtils.rowToJson(rows.next()));
        }
      }
      Path file = new Path(path);
      synchronized (JvmRegistry.shared(Turn.class, file.getParent(), Turn::new)) {
        log.store().write(file, CollectionConverters.asScala(lines.iterator()), overwrite, hadoop);
      }
    }
  }
}
