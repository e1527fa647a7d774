package io.github.mssqlcdc.testkit.sqlserver.engine.catalog;

import io.github.mssqlcdc.testkit.sqlserver.tsql.Definition.Verb;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Users, roles and grants of one database. Thread-safe. */
public final class Security {
  public static final String OWNER = "db_owner";
  private static final Set<String> FIXED_ROLES =
      Set.of(
          OWNER,
          "db_datareader",
          "db_datawriter",
          "db_ddladmin",
          "db_securityadmin",
          "db_accessadmin",
          "db_denydatareader",
          "public");
  private static final Set<String> WRITES = Set.of("INSERT", "UPDATE", "DELETE");

  /** User name to login name; empty: without login. */
  private final Map<String, String> users = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  private final Map<String, Set<String>> members = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final Set<Grant> grants = new HashSet<>();

  Security() {
    FIXED_ROLES.forEach(role -> members.put(role, names()));
  }

  /**
   * @param securable {@code O<id>}, {@code S<schema>} or {@code D}
   * @param column null: the whole object
   */
  private record Grant(
      Verb verb, String permission, String principal, String securable, @Nullable String column) {}

  private static Set<String> names() {
    return new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
  }

  public synchronized boolean addUser(String name, @Nullable String login) {
    return !members.containsKey(name)
        && users.putIfAbsent(name, login == null ? "" : login) == null;
  }

  public synchronized boolean addRole(String name) {
    return !users.containsKey(name) && members.putIfAbsent(name, names()) == null;
  }

  public synchronized boolean dropUser(String name) {
    members.values().forEach(role -> role.remove(name));
    return users.remove(name) != null;
  }

  public synchronized boolean dropRole(String name) {
    return !FIXED_ROLES.contains(name) && members.remove(name) != null;
  }

  public synchronized boolean isPrincipal(String name) {
    return users.containsKey(name) || members.containsKey(name) || name.equalsIgnoreCase("dbo");
  }

  public synchronized boolean isRole(String name) {
    return members.containsKey(name);
  }

  /** All roles, fixed ones too. */
  public synchronized List<String> roles() {
    return List.copyOf(members.keySet());
  }

  /** User names. */
  public synchronized List<String> users() {
    return List.copyOf(users.keySet());
  }

  public synchronized void addMember(String role, String member) {
    members.get(role).add(member);
  }

  public synchronized void dropMember(String role, String member) {
    members.get(role).remove(member);
  }

  /** The user that a login is here. */
  public synchronized Optional<String> userOf(String login) {
    return users.entrySet().stream()
        .filter(e -> e.getValue().equalsIgnoreCase(login))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** Whether the user is in the role, directly or through another role. */
  public synchronized boolean isMember(String user, String role) {
    return role.equalsIgnoreCase("public") || rolesOf(user).contains(role);
  }

  private Set<String> rolesOf(String principal) {
    Set<String> found = names();
    Set<String> open = new LinkedHashSet<>(Set.of(principal));
    while (!open.isEmpty()) {
      String member = open.iterator().next();
      open.remove(member);
      members.forEach(
          (role, in) -> {
            if (in.contains(member) && found.add(role)) {
              open.add(role);
            }
          });
    }
    return found;
  }

  public synchronized void record(
      Verb verb, String permission, String principal, String securable, List<String> columns) {
    for (String column :
        columns.isEmpty() ? java.util.Collections.singletonList((String) null) : columns) {
      String lower = column == null ? null : column.toLowerCase(java.util.Locale.ROOT);
      String who = principal.toLowerCase(java.util.Locale.ROOT);
      grants.remove(new Grant(Verb.GRANT, permission, who, securable, lower));
      grants.remove(new Grant(Verb.DENY, permission, who, securable, lower));
      if (verb != Verb.REVOKE) {
        grants.add(new Grant(verb, permission, who, securable, lower));
      }
    }
  }

  synchronized void forget(String securable) {
    grants.removeIf(grant -> grant.securable().equals(securable));
  }

  /** Whether the user holds the permission on the whole table. */
  public synchronized boolean allows(String user, String permission, Table table) {
    return allows(user, permission, table, null);
  }

  /** Whether the user holds the permission on this column, by it or by the whole table. */
  public synchronized boolean allows(
      String user, String permission, Table table, @Nullable String column) {
    Set<String> principals = rolesOf(user);
    if (principals.contains(OWNER)) {
      return true;
    }
    principals.add(user);
    principals.add("public");
    Set<String> securables =
        Set.of(
            "O" + table.objectId(), "S" + table.schema().toLowerCase(java.util.Locale.ROOT), "D");
    boolean granted = byFixedRole(principals, permission);
    for (Grant grant : grants) {
      if (!principals.contains(grant.principal())
          || !securables.contains(grant.securable())
          || !covers(grant.permission(), permission)
          || !(grant.column() == null || grant.column().equalsIgnoreCase(column))) {
        continue;
      }
      if (grant.verb() == Verb.DENY) {
        return false;
      }
      granted = true;
    }
    return granted;
  }

  private static boolean byFixedRole(Set<String> principals, String permission) {
    return (permission.equals("SELECT")
            && principals.contains("db_datareader")
            && !principals.contains("db_denydatareader"))
        || (WRITES.contains(permission) && principals.contains("db_datawriter"))
        || (permission.equals("ALTER") && principals.contains("db_ddladmin"));
  }

  private static boolean covers(String granted, String wanted) {
    return granted.equals(wanted) || granted.equals("CONTROL");
  }

  /** Whether the user holds a permission on the database itself. */
  public synchronized boolean allowsOnDatabase(String user, String permission) {
    Set<String> principals = rolesOf(user);
    boolean owner = principals.contains(OWNER);
    principals.add(user);
    principals.add("public");
    return owner
        || grants.stream()
            .anyMatch(
                g ->
                    g.verb() == Verb.GRANT
                        && g.securable().equals("D")
                        && principals.contains(g.principal())
                        && covers(g.permission(), permission));
  }
}
