package io.github.mssqlcdc.type;

/** How a column is asked for; the T-SQL of each form is the {@code sqlserver} package's. */
public enum SelectForm {
  /** As it is. */
  COLUMN,
  /** Converted to text by the server: what it is without needs a feature of the client. */
  TEXT,
  /** The text of a CLR type's own method. */
  CLR_TEXT,
  /** Well-known text, with heights and measures. */
  WELL_KNOWN_TEXT,
  /** Not asked for: it reads NULL. */
  NONE
}
