package io.github.mssqlcdc.delta.table;

import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a Delta table is, as the caller spelt it: a name, or a path, which is anything with {@code
 * /} or {@code :}.
 */
public record DeltaTableRef(String text) {
  private static final Pattern PATH_AS_NAME =
      Pattern.compile("(?i)\\s*delta\\s*\\.\\s*`.*", Pattern.DOTALL);
  private static final Pattern QUALIFIED =
      Pattern.compile("(?:(.+)\\.)?([^.`]+|`(?:[^`]|``)+`)", Pattern.DOTALL);

  /**
   * @throws InvalidRequestException if it is blank, or a path in the dress of a name
   */
  public DeltaTableRef {
    if (text.isBlank()) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_OPTION,
          "Missing table: give its name, for example bronze.orders, or its path");
    }
    if (isPath(text) && PATH_AS_NAME.matcher(text).matches()) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_OPTION,
          "Invalid table '" + text + "': give the path alone, without delta and backticks");
    }
  }

  public boolean isPath() {
    return isPath(text);
  }

  private static boolean isPath(String text) {
    return text.indexOf('/') >= 0 || text.indexOf(':') >= 0;
  }

  /** The schema of a name, with its catalog if that is named, too; empty if neither is. */
  Optional<String> schema() {
    Matcher name = QUALIFIED.matcher(text);
    return name.matches() ? Optional.ofNullable(name.group(1)) : Optional.empty();
  }

  /** The last part of a name, without backticks. */
  String lastPart() {
    Matcher name = QUALIFIED.matcher(text);
    String last = name.matches() ? name.group(2) : text;
    return last.startsWith("`") ? last.substring(1, last.length() - 1).replace("``", "`") : last;
  }

  /**
   * The table beside this one, in its schema or folder.
   *
   * @param suffix what its name has behind this one's; letters and {@code _}
   */
  public DeltaTableRef withSuffix(String suffix) {
    if (isPath()) {
      return new DeltaTableRef(text.replaceFirst("/+$", "") + suffix);
    }
    return new DeltaTableRef(
        text.endsWith("`") ? text.substring(0, text.length() - 1) + suffix + "`" : text + suffix);
  }

  /** The table in SQL text. */
  public String sql() {
    return isPath() ? "delta.`" + text.replace("`", "``") + "`" : text;
  }

  /** {@link #sql} for who takes at most two parts, which are in the session's own catalog. */
  String inSessionCatalog() {
    String prefix = "spark_catalog.";
    return !isPath() && text.startsWith(prefix) ? text.substring(prefix.length()) : sql();
  }

  @Override
  public String toString() {
    return text;
  }
}
