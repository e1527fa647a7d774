package io.github.mssqlcdc.testkit.sqlserver.backend;

/**
 * SQL Server's base types that the stand-in knows, with the Java class of their values on this
 * seam.
 */
public enum SqlTypeName {
  BIT(Boolean.class),
  TINYINT(Integer.class),
  SMALLINT(Integer.class),
  INT(Integer.class),
  BIGINT(Long.class),
  REAL(Float.class),
  FLOAT(Double.class),
  DECIMAL(java.math.BigDecimal.class),
  NUMERIC(java.math.BigDecimal.class),
  MONEY(java.math.BigDecimal.class),
  SMALLMONEY(java.math.BigDecimal.class),
  DATE(java.time.LocalDate.class),
  TIME(java.time.LocalTime.class),
  DATETIME(java.time.LocalDateTime.class),
  SMALLDATETIME(java.time.LocalDateTime.class),
  DATETIME2(java.time.LocalDateTime.class),
  DATETIMEOFFSET(java.time.OffsetDateTime.class),
  CHAR(String.class),
  VARCHAR(String.class),
  NCHAR(String.class),
  NVARCHAR(String.class),
  TEXT(String.class),
  NTEXT(String.class),
  XML(String.class),
  BINARY(byte[].class),
  VARBINARY(byte[].class),
  IMAGE(byte[].class),
  ROWVERSION(byte[].class),
  UNIQUEIDENTIFIER(java.util.UUID.class);

  private final Class<?> valueClass;

  SqlTypeName(Class<?> valueClass) {
    this.valueClass = valueClass;
  }

  public Class<?> valueClass() {
    return valueClass;
  }
}
