package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** date, time, datetime2 and datetimeoffset. */
record TemporalEncoder(SqlTypeName type, int scale) implements ColumnEncoder {

  @Override
  public void writeType(PacketWriter out) {
    switch (type) {
      case DATE -> out.u8(TypeToken.DATE_N);
      case TIME -> out.u8(TypeToken.TIME_N);
      case DATETIME2 -> out.u8(TypeToken.DATETIME2_N);
      default -> out.u8(TypeToken.DATETIMEOFFSET_N);
    }
    if (type != SqlTypeName.DATE) {
      out.u8(scale);
    }
  }

  @Override
  public void writeNull(PacketWriter out) {
    out.u8(0);
  }

  @Override
  public void write(PacketWriter out, Object value) {
    int timeBytes = Dates.timeBytes(scale);
    switch (type) {
      case DATE -> {
        out.u8(3);
        Dates.writeDate(out, (LocalDate) value);
      }
      case TIME -> {
        out.u8(timeBytes);
        Dates.writeTime(out, (LocalTime) value, scale);
      }
      case DATETIME2 -> {
        out.u8(timeBytes + 3);
        writeDatetime2(out, (LocalDateTime) value);
      }
      default -> {
        OffsetDateTime moment = (OffsetDateTime) value;
        out.u8(timeBytes + 5);
        writeDatetime2(out, moment.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime());
        out.u16(moment.getOffset().getTotalSeconds() / 60);
      }
    }
  }

  private void writeDatetime2(PacketWriter out, LocalDateTime value) {
    Dates.writeTime(out, value.toLocalTime(), scale);
    Dates.writeDate(out, value.toLocalDate());
  }
}
