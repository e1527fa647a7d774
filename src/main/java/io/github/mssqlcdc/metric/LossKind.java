package io.github.mssqlcdc.metric;

import java.util.Locale;

/** How a stream lost the changes after its position. */
public enum LossKind {
  /** CDC cleanup has purged them. */
  RETENTION,
  /** The capture instance that had them was disabled; what is there was created later. */
  INSTANCE_RECREATED,
  /** The source table was dropped, and with it its capture instances. */
  TABLE_RECREATED,
  /** CDC of the whole database was disabled and enabled again. */
  CDC_REENABLED,
  /** The database's past is another one: it was restored to an earlier time, or replaced. */
  RESTORED;

  /** The kind's name in the facts, as {@code cause}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
