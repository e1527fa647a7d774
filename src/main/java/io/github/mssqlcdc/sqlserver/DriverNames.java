package io.github.mssqlcdc.sqlserver;

import com.microsoft.sqlserver.jdbc.SQLServerDriver;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.options.Spelling;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/**
 * The property names that the installed driver knows. It ignores all others without a word, so a
 * misspelt {@code jdbc.encrypt} would leave a connection open to all.
 */
final class DriverNames {
  /** Known to the driver, but not in its list. */
  private static final Set<String> UNLISTED =
      Set.of("accessToken", "ignoreOffsetOnDateTimeOffsetConversion");

  private final SQLServerDriver driver = new SQLServerDriver();

  /**
   * @throws InvalidRequestException if the driver doesn't know one of the names
   */
  void check(Set<String> names) {
    if (names.isEmpty()) {
      return;
    }
    Set<String> known = known();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new InvalidRequestException(
            ErrorCode.INVALID_OPTION,
            "Unknown driver property 'jdbc."
                + name
                + "': did you mean 'jdbc."
                + Spelling.nearest(name, known)
                + "'? What this driver knows but doesn't list can stand in option 'url'");
      }
    }
  }

  private Set<String> known() {
    Set<String> known = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    known.addAll(UNLISTED);
    try {
      DriverPropertyInfo[] listed =
          driver.getPropertyInfo("jdbc:sqlserver://localhost", new Properties());
      Arrays.stream(listed).map(property -> property.name).forEach(known::add);
    } catch (SQLException e) {
      throw new IllegalStateException("Failed to list the driver's properties", e);
    }
    return known;
  }
}
