package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.lsn.Lsn;
import java.util.regex.Pattern;

/**
 * A statement that changed the columns of a captured table.
 *
 * @param lsn LSN of its commit; the map needn't have it
 * @param statement as it was written
 */
public record DdlEntry(Lsn lsn, String statement) {

  /** Whether the statement, as far as its text tells, adds a column of this name. */
  public boolean adds(String column) {
    String word = "[\\w@#$]";
    String bare = "(?<!" + word + ")" + Pattern.quote(column) + "(?!" + word + ")";
    String bracketed = Pattern.quote("[" + column.replace("]", "]]") + "]");
    String inQuotes = Pattern.quote("\"" + column.replace("\"", "\"\"") + "\"");
    return Pattern.compile(
            "\\badd\\b.*(" + bare + "|" + bracketed + "|" + inQuotes + ")",
            Pattern.CASE_INSENSITIVE
                | Pattern.UNICODE_CASE
                | Pattern.UNICODE_CHARACTER_CLASS
                | Pattern.DOTALL)
        .matcher(statement)
        .find();
  }
}
