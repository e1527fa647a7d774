package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.sqlserver.CaptureInstance;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Finds captured tables by the look of their names. */
final class CapturedTables {
  private CapturedTables() {}

  /**
   * The tables that match, by the name that CDC gives a table's capture instance by default. It
   * stays the same over a switch to another instance, and leads to the newest one.
   *
   * @param pattern for {@code schema.table}, in any case; {@code *} is any text, {@code ?} any one
   *     character
   * @param instances of the database
   * @return in the order of their names
   * @throws io.github.mssqlcdc.error.InvalidRequestException if none matches, or the default names
   *     of two are the same, or the name of another table's instance
   */
  static List<String> matching(String pattern, Collection<CaptureInstance> instances) {
    Pattern tables = regex(pattern);
    TreeMap<String, TreeSet<String>> found =
        instances.stream()
            .filter(instance -> tables.matcher(instance.tableName()).matches())
            .collect(
                Collectors.groupingBy(
                    CapturedTables::defaultName,
                    TreeMap::new,
                    Collectors.mapping(
                        CaptureInstance::tableName, Collectors.toCollection(TreeSet::new))));
    if (found.isEmpty()) {
      throw Arguments.invalid(
          "Unknown tables '"
              + pattern
              + "': none of the captured tables that the login may see matches. They are "
              + shown(instances.stream().map(CaptureInstance::tableName).distinct().toList())
              + "; the pattern is for schema.table, * is any text");
    }
    found.forEach(CapturedTables::requireOne);
    for (CaptureInstance other : instances) {
      Set<String> named = found.get(other.name());
      if (named != null && !named.contains(other.tableName())) {
        requireOne(other.name(), union(named, Set.of(other.tableName())));
      }
    }
    return List.copyOf(found.keySet());
  }

  private static Set<String> union(Set<String> some, Set<String> more) {
    Set<String> all = new TreeSet<>(some);
    all.addAll(more);
    return all;
  }

  private static void requireOne(String name, Set<String> tables) {
    if (tables.size() > 1) {
      throw Arguments.invalid(
          "Ambiguous name '"
              + name
              + "': it may be of the tables "
              + String.join(" and ", tables)
              + ". Name their capture instances with .tables(…) instead of a pattern");
    }
  }

  private static String defaultName(CaptureInstance instance) {
    return instance.sourceSchema() + "_" + instance.sourceTable();
  }

  private static Pattern regex(String pattern) {
    String regex =
        pattern
            .codePoints()
            .mapToObj(Character::toString)
            .map(
                character ->
                    switch (character) {
                      case "*" -> ".*";
                      case "?" -> ".";
                      default -> Pattern.quote(character);
                    })
            .collect(Collectors.joining());
    return Pattern.compile(regex, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.DOTALL);
  }

  private static String shown(List<String> tables) {
    int most = 20;
    String names = tables.stream().sorted().limit(most).collect(Collectors.joining(", "));
    return tables.isEmpty()
        ? "none"
        : names + (tables.size() > most ? " and " + (tables.size() - most) + " more" : "");
  }
}
