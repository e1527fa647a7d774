package io.github.mssqlcdc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.options.SnapshotOptions;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.testkit.source.FakeSqlServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.junit.jupiter.api.Test;

class ProviderTest {
  private final FakeSqlServer server = new FakeSqlServer();
  private final Map<String, String> options =
      new HashMap<>(Map.of("url", "jdbc:sqlserver://fake", "captureInstance", "dbo_orders"));

  @Test
  void areFoundByTheirShortNames() {
    assertThat(
            ServiceLoader.load(DataSourceRegister.class).stream()
                .map(provider -> provider.get().shortName()))
        .contains("mssql_cdc", "mssql_cdc_snapshot");
  }

  @Test
  void inferTheSchemaFromWhatIsCaptured() {
    options.put("includeCommandId", "no");
    options.put("includeUpdateMask", "yes");

    assertThat(schema().fieldNames())
        .containsExactly(
            "_capture_instance",
            "_start_lsn",
            "_seqval",
            "_operation",
            "_commit_ts",
            "_update_mask",
            "id",
            "name");
  }

  @Test
  void takeDeclaredColumnsAsWrittenAndAskOnlyWhetherTextIsLarge() {
    options.put("columns", "id DECIMAL(10,0)");
    assertThat(schema().toDDL()).endsWith("_commit_ts TIMESTAMP_NTZ,id DECIMAL(10,0)");
    assertThat(server.calls()).isEmpty();

    options.put("columns", "name STRING, id DECIMAL(10,0)");
    assertThat(schema().toDDL()).endsWith("_commit_ts TIMESTAMP_NTZ,name STRING,id DECIMAL(10,0)");
    assertThat(server.calls()).containsExactly("captureInstance", "capturedColumns");
  }

  @Test
  void giveTheSameSchemaForTheSameOptions() {
    for (String commandId : List.of("true", "false")) {
      for (String mask : List.of("true", "false")) {
        options.put("includeCommandId", commandId);
        options.put("includeUpdateMask", mask);

        assertThat(MssqlCdcSnapshotProvider.schema(SnapshotOptions.parse(options), () -> server))
            .isEqualTo(schema());
      }
    }
  }

  @Test
  void readChangesAsAStreamAndSnapshotsAsABatch() {
    options.put("columns", "id INT");

    assertThat(
            new MssqlCdcProvider()
                .getTable(new StructType(), new Transform[0], options)
                .capabilities())
        .containsExactly(TableCapability.MICRO_BATCH_READ);
    assertThat(
            new MssqlCdcSnapshotProvider()
                .getTable(new StructType(), new Transform[0], options)
                .capabilities())
        .containsExactly(TableCapability.BATCH_READ);
  }

  @Test
  void checkBooleansWhenTheSchemaIsAskedFor() {
    options.put("includeCommandId", "ture");

    assertThatThrownBy(
            () -> new MssqlCdcProvider().inferSchema(new CaseInsensitiveStringMap(options)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("includeCommandId")
        .hasMessageContaining("ture");
  }

  /** A schema that the user gives comes here, and nowhere before a task else. */
  @Test
  void refuseASchemaThatNoRowHas() {
    for (String ddl :
        List.of("ID BIGINT, id INT", "_operation INT, _OPERATION INT", "`a,b` INT, `A,B` INT")) {
      for (TableProvider format : List.of(new MssqlCdcProvider(), new MssqlCdcSnapshotProvider())) {
        assertThatThrownBy(() -> table(format, ddl))
            .isInstanceOf(InvalidRequestException.class)
            .hasMessageStartingWith("Unsupported columns '")
            .hasMessageContaining("': Spark takes both for one name");
      }
    }
    for (String ddl : List.of("_chunk INT, id INT", "id INT, _CHUNK INT")) {
      for (TableProvider format : List.of(new MssqlCdcProvider(), new MssqlCdcSnapshotProvider())) {
        assertThatThrownBy(() -> table(format, ddl))
            .isInstanceOf(InvalidRequestException.class)
            .hasMessageStartingWith("Unsupported column '_")
            .hasMessageContaining("only a snapshot that is read with option 'snapshotChunks' has");
      }
    }
    options.put("snapshotChunks", "[[0, null, null]]");
    assertThat(table(new MssqlCdcSnapshotProvider(), "id INT, _chunk INT").columns()).hasSize(2);
    assertThatThrownBy(() -> table(new MssqlCdcProvider(), "id INT, _chunk INT"))
        .hasMessageStartingWith("Unsupported column '_chunk' of the schema");
  }

  private Table table(TableProvider format, String ddl) {
    return format.getTable(StructType.fromDDL(ddl), new Transform[0], options);
  }

  private StructType schema() {
    return MssqlCdcProvider.schema(StreamOptions.parse(options), () -> server);
  }
}
