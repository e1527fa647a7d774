package io.github.mssqlcdc.testkit.sqlserver.tds;

/** Type bytes of TYPE_INFO. */
final class TypeToken {
  static final int NULL = 0x1F;
  static final int IMAGE = 0x22;
  static final int TEXT = 0x23;
  static final int GUID = 0x24;
  static final int INT_N = 0x26;
  static final int DATE_N = 0x28;
  static final int TIME_N = 0x29;
  static final int DATETIME2_N = 0x2A;
  static final int DATETIMEOFFSET_N = 0x2B;
  static final int INT1 = 0x30;
  static final int BIT = 0x32;
  static final int INT2 = 0x34;
  static final int INT4 = 0x38;
  static final int DATETIME4 = 0x3A;
  static final int FLOAT4 = 0x3B;
  static final int MONEY = 0x3C;
  static final int DATETIME = 0x3D;
  static final int FLOAT8 = 0x3E;
  static final int NTEXT = 0x63;
  static final int BIT_N = 0x68;
  static final int DECIMAL_N = 0x6A;
  static final int NUMERIC_N = 0x6C;
  static final int FLOAT_N = 0x6D;
  static final int MONEY_N = 0x6E;
  static final int DATETIME_N = 0x6F;
  static final int MONEY4 = 0x7A;
  static final int INT8 = 0x7F;
  static final int BIG_VARBINARY = 0xA5;
  static final int BIG_VARCHAR = 0xA7;
  static final int BIG_BINARY = 0xAD;
  static final int BIG_CHAR = 0xAF;
  static final int NVARCHAR = 0xE7;
  static final int NCHAR = 0xEF;
  static final int XML = 0xF1;

  private TypeToken() {}
}
