package io.github.mssqlcdc.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.InvalidRequestException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReadColumnsTest {
  private static final List<CapturedColumn> CAPTURED =
      List.of(
          new CapturedColumn("id", 1, 1, new SqlType("int", 0, 0, 0)),
          new CapturedColumn("created at", 2, 2, new SqlType("datetime2", 0, 0, 7)),
          new CapturedColumn("price", 3, 3, new SqlType("decimal", 0, 10, 2)));

  @Test
  void allColumnsAreInferredInOrderAndNullable() {
    assertThat(ReadColumns.schema(ReadColumns.inferred(CAPTURED)))
        .isEqualTo(
            new StructType()
                .add("id", DataTypes.IntegerType, true)
                .add("created at", DataTypes.TimestampNTZType, true)
                .add("price", DataTypes.createDecimalType(10, 2), true));
  }

  @ParameterizedTest
  @CsvSource({
    "bit,boolean",
    "tinyint,smallint",
    "smallint,smallint",
    "int,int",
    "bigint,bigint",
    "real,float",
    "float,double",
    "money,'decimal(19,4)'",
    "smallmoney,'decimal(10,4)'",
    "date,date",
    "datetime,timestamp_ntz",
    "smalldatetime,timestamp_ntz",
    "datetime2,timestamp_ntz",
    "datetimeoffset,timestamp",
    "time,string",
    "CHAR,string",
    "varchar,string",
    "nchar,string",
    "nvarchar,string",
    "text,string",
    "ntext,string",
    "xml,string",
    "uniqueidentifier,string",
    "sysname,string",
    "binary,binary",
    "varbinary,binary",
    "image,binary",
    "timestamp,binary",
    "rowversion,binary"
  })
  void eachTypeHasItsSparkType(String sqlType, String sparkType) {
    StructType schema = ReadColumns.schema(ReadColumns.inferred(column("c", sqlType)));

    assertThat(schema.apply("c").dataType().simpleString()).isEqualTo(sparkType);
  }

  @ParameterizedTest
  @ValueSource(strings = {"geography", "hierarchyid", "sql_variant", "json"})
  void anUnmappedTypeNamesColumnTypeAndTheWayOut(String type) {
    assertThatThrownBy(() -> ReadColumns.inferred(column("place", type)))
        .isInstanceOf(CdcException.class)
        .hasMessage(
            "Unsupported type "
                + type
                + " of column 'place': list the columns to read in option 'columns' and leave it"
                + " out");
  }

  @Test
  void declaredColumnsAreReadAsWritten() {
    List<ReadColumn> columns =
        ReadColumns.declared(
            CAPTURED, "price DECIMAL(12,4), ID bigint, `created at` TIMESTAMP_NTZ");

    assertThat(columns).extracting(ReadColumn::name).containsExactly("price", "id", "created at");
    assertThat(ReadColumns.schema(columns))
        .isEqualTo(
            new StructType()
                .add("price", DataTypes.createDecimalType(12, 4), true)
                .add("ID", DataTypes.LongType, true)
                .add("created at", DataTypes.TimestampNTZType, true));
  }

  @Test
  void anUnreadColumnOfAnUnmappedTypeDoesNoHarm() {
    List<CapturedColumn> captured = new ArrayList<>(CAPTURED);
    captured.addAll(column("place", "geography"));

    assertThat(ReadColumns.declared(captured, "id INT")).hasSize(1);
  }

  @Test
  void aColumnThatIsNotCapturedIsAnError() {
    assertThatThrownBy(() -> ReadColumns.declared(CAPTURED, "id INT, total INT"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "Unknown column 'total' in option 'columns': captured are id, created at, price");
  }

  @Test
  void aNarrowerTypeIsAnError() {
    assertThatThrownBy(() -> ReadColumns.declared(CAPTURED, "id SMALLINT"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith("Invalid type SMALLINT of column 'id' in option 'columns'")
        .hasMessageContaining("does not hold every INT");
  }

  @Test
  void aColumnNamedTwiceIsAnError() {
    assertThatThrownBy(() -> ReadColumns.declared(CAPTURED, "id INT, ID INT"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("names column 'id' twice");
  }

  @Test
  void textThatIsNoDdlIsAnError() {
    assertThatThrownBy(() -> ReadColumns.declared(CAPTURED, "id INTT"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith("Invalid value 'id INTT' of option 'columns': expected column");
  }

  @ParameterizedTest
  @CsvSource({
    "'smallint','bigint',true",
    "'int','smallint',false",
    "'int','double',true",
    "'bigint','double',false",
    "'float','double',true",
    "'double','float',false",
    "'date','timestamp_ntz',true",
    "'date','timestamp',false",
    "'string','int',false",
    "'int','string',false",
    "'decimal(10,2)','decimal(11,2)',true",
    "'decimal(10,2)','decimal(12,4)',true",
    "'decimal(10,2)','decimal(10,4)',false",
    "'decimal(10,4)','decimal(10,2)',false",
    "'decimal(10,0)','int',false"
  })
  void aTypeHoldsAnotherOnlyIfNoValueIsLost(String narrow, String wide, boolean holds) {
    assertThat(Widening.holds(type(wide), type(narrow))).isEqualTo(holds);
  }

  private static DataType type(String ddl) {
    return StructType.fromDDL("c " + ddl).apply("c").dataType();
  }

  private static List<CapturedColumn> column(String name, String type) {
    return List.of(new CapturedColumn(name, 4, 4, new SqlType(type, 0, 0, 0)));
  }
}
