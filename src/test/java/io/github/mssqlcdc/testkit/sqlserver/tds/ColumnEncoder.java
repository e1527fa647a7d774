package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;

/** Writes one column's TYPE_INFO and its values. Immutable. */
interface ColumnEncoder {

  /** TYPE_INFO, and for text, ntext and image the table name that has to follow. */
  void writeType(PacketWriter out);

  /**
   * Writes a value other than NULL.
   *
   * @param value of the type's {@link
   *     io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName#valueClass()}
   */
  void write(PacketWriter out, Object value);

  void writeNull(PacketWriter out);

  /** UserType of COLMETADATA; only rowversion needs one. */
  default int userType() {
    return 0;
  }

  /** A nullable column or return value. */
  static ColumnEncoder of(DataType type) {
    return switch (type.name()) {
      case BIT, TINYINT, SMALLINT, INT, BIGINT, REAL, FLOAT, MONEY, SMALLMONEY ->
          NumberEncoder.nullable(type.name());
      case DATETIME, SMALLDATETIME -> NumberEncoder.nullable(type.name());
      case DECIMAL, NUMERIC -> new DecimalEncoder(type);
      case DATE, TIME, DATETIME2, DATETIMEOFFSET -> new TemporalEncoder(type.name(), type.scale());
      case CHAR, VARCHAR, NCHAR, NVARCHAR, XML -> new CharacterEncoder(type);
      case BINARY, VARBINARY, ROWVERSION -> new BinaryEncoder(type);
      case TEXT, NTEXT, IMAGE -> new LegacyLobEncoder(type);
      case UNIQUEIDENTIFIER -> new GuidEncoder();
    };
  }

  /** As a server does, types that have a fixed form use it in columns that can't be NULL. */
  static ColumnEncoder of(Column column) {
    return column.nullable()
        ? of(column.type())
        : switch (column.type().name()) {
          case BIT,
              TINYINT,
              SMALLINT,
              INT,
              BIGINT,
              REAL,
              FLOAT,
              MONEY,
              SMALLMONEY,
              DATETIME,
              SMALLDATETIME ->
              NumberEncoder.fixed(column.type().name());
          default -> of(column.type());
        };
  }
}
