package io.github.mssqlcdc.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.type.CapturedColumn.Trait;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
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
  @ValueSource(strings = {"mytype", "table"})
  void anUnmappedTypeNamesColumnTypeAndTheWayOut(String type) {
    assertThatThrownBy(() -> ReadColumns.inferred(column("place", type)))
        .isInstanceOf(CdcException.class)
        .hasMessage(
            "Unsupported type "
                + type
                + " of column 'place': list the columns to read in option 'columns' and leave it"
                + " out");
  }

  @ParameterizedTest
  @CsvSource({
    "geography,WELL_KNOWN_TEXT",
    "geometry,WELL_KNOWN_TEXT",
    "hierarchyid,CLR_TEXT",
    "sql_variant,TEXT"
  })
  void aTypeThatIsMoreThanItsTextIsReadOnRequestOnly(String type, SelectForm form) {
    assertThatThrownBy(() -> ReadColumns.inferred(column("place", type)))
        .isInstanceOf(CdcException.class)
        .hasMessage(
            "Unsupported type "
                + type
                + " of column 'place': list the columns to read in option 'columns', with this one"
                + " as STRING to read its text, or without it");
    assertThat(ReadColumns.declared(column("place", type), "place STRING"))
        .extracting(ReadColumn::form)
        .containsExactly(form);
    assertThatThrownBy(() -> ReadColumns.declared(column("place", type), "place BINARY"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("BINARY of column 'place'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "vector"})
  void jsonAndVectorsAreTextMadeByTheServer(String type) {
    assertThat(ReadColumns.inferred(column("c", type)))
        .extracting(ReadColumn::form, c -> c.field().dataType())
        .containsExactly(tuple(SelectForm.TEXT, DataTypes.StringType));
  }

  @Test
  void aComputedColumnIsLeftOutUnlessItIsListedThenItReadsNull() {
    List<CapturedColumn> captured = new ArrayList<>(CAPTURED);
    captured.add(
        new CapturedColumn(
            "twice", 4, 4, new SqlType("int", 0, 0, 0), null, Set.of(Trait.COMPUTED)));

    assertThat(ReadColumns.inferred(captured))
        .extracting(ReadColumn::name)
        .containsExactly("id", "created at", "price");
    List<ReadColumn> declared = ReadColumns.declared(captured, "twice INT, id INT");
    assertThat(declared).extracting(ReadColumn::isSelected).containsExactly(false, true);
    assertThatThrownBy(() -> ReadColumns.declared(captured, "twice SMALLINT"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'twice'");
  }

  @Test
  void anEncryptedColumnIsReadAsItsCiphertextOrNotAtAll() {
    List<CapturedColumn> captured =
        List.of(
            new CapturedColumn(
                "ssn", 1, 1, new SqlType("int", 0, 0, 0), null, Set.of(Trait.ENCRYPTED)));
    String message =
        "Unsupported column 'ssn': it is under Always Encrypted. List the columns to read in"
            + " option 'columns', with this one as BINARY to read its ciphertext, or without it";

    assertThatThrownBy(() -> ReadColumns.inferred(captured))
        .isInstanceOf(CdcException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> ReadColumns.declared(captured, "ssn INT"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(message);
    assertThat(ReadColumns.declared(captured, "ssn BINARY")).hasSize(1);
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
  void declaredColumnsAreSplitAtTopLevelCommasOnly() {
    StructType columns =
        ReadColumns.parse(
            "price DECIMAL(10,2), `a``b, c`: STRING, Id: BIGINT NOT NULL COMMENT 'x, y',\n"
                + "`größe` INT /* , */, select TIMESTAMP -- , last");

    assertThat(columns)
        .isEqualTo(
            new StructType()
                .add("price", DataTypes.createDecimalType(10, 2), true)
                .add("a`b, c", DataTypes.StringType, true)
                .add("Id", DataTypes.LongType, true)
                .add("größe", DataTypes.IntegerType, true)
                .add("select", DataTypes.TimestampType, true));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"STRUCT<a: INT, b: DECIMAL(10,2)>", "MAP<STRING, INT>", "ARRAY<INT>"})
  void nestedTypesAreRefused(String type) {
    assertThatThrownBy(() -> ReadColumns.parse("id INT, `a, b` " + type))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "Unsupported type "
                + type
                + " of column 'a, b' in option 'columns': no SQL Server type reads as STRUCT, MAP or"
                + " ARRAY; give text as STRING and parse it in Spark");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"id", "id INT,, x INT", "größe INT", "a.b INT", "id INT>, x STRUCT<a INT", "[a] INT"})
  void whatIsNoListOfColumnsIsAnError(String ddl) {
    assertThatThrownBy(() -> ReadColumns.parse(ddl))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "Invalid value '"
                + ddl
                + "' of option 'columns': expected column names with types, for example 'id BIGINT,"
                + " name STRING', a name with other characters than ASCII letters, digits and _ in"
                + " backticks");
  }

  @Test
  void ofColumnsThatDifferInCaseTheExactNameIsNeeded() {
    SqlType type = new SqlType("int", 0, 10, 0);
    List<CapturedColumn> captured =
        List.of(new CapturedColumn("Id", 1, 1, type), new CapturedColumn("ID", 2, 2, type));

    assertThat(ReadColumns.declared(captured, "ID INT").get(0).name()).isEqualTo("ID");
    assertThatThrownBy(() -> ReadColumns.declared(captured, "id INT"))
        .hasMessage(
            "Unknown column 'id' in option 'columns': several differ from it in case only, write"
                + " the exact name of one of Id, ID");
  }

  @Test
  void textThatIsNoDdlIsAnError() {
    assertThatThrownBy(() -> ReadColumns.declared(CAPTURED, "id INTT"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith("Invalid value 'id INTT' of option 'columns': expected column");
  }

  /** Which types hold which others; every pair that isn't here doesn't. */
  private static final Map<String, Set<String>> HELD_BY =
      Map.of(
          "smallint", Set.of("int", "bigint", "double"),
          "int", Set.of("bigint", "double"),
          "float", Set.of("double"),
          "date", Set.of("timestamp_ntz"));

  static Stream<Arguments> pairs() {
    List<String> types =
        List.of(
            "boolean",
            "smallint",
            "int",
            "bigint",
            "float",
            "double",
            "decimal(10,0)",
            "date",
            "timestamp_ntz",
            "timestamp",
            "string",
            "binary");
    return types.stream().flatMap(narrow -> types.stream().map(wide -> Arguments.of(narrow, wide)));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void aTypeHoldsAnotherOnlyIfNoValueIsLost(String narrow, String wide) {
    assertThat(Widening.holds(type(wide), type(narrow)))
        .isEqualTo(narrow.equals(wide) || HELD_BY.getOrDefault(narrow, Set.of()).contains(wide));
  }

  @ParameterizedTest
  @CsvSource({
    "'decimal(10,2)','DECIMAL( 10 , 2 )',true",
    "'decimal(10,2)','decimal(11,2)',true",
    "'decimal(10,2)','decimal(12,4)',true",
    "'decimal(10,2)','decimal(38,2)',true",
    "'decimal(10,2)','decimal(10,4)',false",
    "'decimal(10,4)','decimal(10,2)',false",
    "'decimal(10,2)','decimal(9,2)',false",
    "'decimal(10,2)','double',false",
    "'decimal(10,0)','bigint',false"
  })
  void aDecimalHoldsAnotherIfNeitherSideOfThePointShrinks(
      String narrow, String wide, boolean holds) {
    assertThat(Widening.holds(type(wide), type(narrow))).isEqualTo(holds);
  }

  @ParameterizedTest
  @CsvSource({
    "char,true",
    "varchar,true",
    "nchar,true",
    "nvarchar,true",
    "text,true",
    "ntext,true",
    "xml,false",
    "time,false",
    "uniqueidentifier,false",
    "datetime2,false",
    "int,false",
    "datetimeoffset,true"
  })
  void timestampIsTakenFromTextAndFromDatetimeoffsetOnly(String type, boolean taken) {
    if (taken) {
      assertThat(ReadColumns.declared(column("c", type), "c TIMESTAMP")).hasSize(1);
    } else {
      assertThatThrownBy(() -> ReadColumns.declared(column("c", type), "c TIMESTAMP"))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("TIMESTAMP of column 'c'");
    }
  }

  private static DataType type(String ddl) {
    return StructType.fromDDL("c " + ddl).apply("c").dataType();
  }

  private static List<CapturedColumn> column(String name, String type) {
    return List.of(new CapturedColumn(name, 4, 4, new SqlType(type, 0, 0, 0)));
  }
}
