package io.github.mssqlcdc.type;

import java.io.Serializable;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A column of a capture instance.
 *
 * @param name its exact name
 * @param columnId its id in the source table; a column dropped and added again has another
 * @param ordinal 1-based place in the change table, metadata columns not counted
 * @param type its type, an alias type already resolved to its base type
 * @param collation collation of a character column on the source table; null: it has none
 */
public record CapturedColumn(
    String name,
    int columnId,
    int ordinal,
    SqlType type,
    @Nullable String collation,
    Set<Trait> traits)
    implements Serializable {

  /** What sets a column apart from a plain one. */
  public enum Trait {
    /** Not on the source table any more, or dropped and added again. */
    DROPPED,
    /** Not stored: capture leaves it NULL in every image. */
    COMPUTED,
    /** Always Encrypted: without the keys the server sends ciphertext. */
    ENCRYPTED,
    /** Under dynamic data masking: a login without UNMASK reads made-up values. */
    MASKED,
    /**
     * Of CDC's key, where the table is stored in its order: unique, never NULL, and rows come in
     * that order without a sort.
     */
    CLUSTERED,
    /** Of strings in another code page than the database's: capture may garble them. */
    OTHER_CODE_PAGE
  }

  public CapturedColumn {
    traits = Set.copyOf(traits);
  }

  /** A plain column that is still on the source table. */
  public CapturedColumn(String name, int columnId, int ordinal, SqlType type) {
    this(name, columnId, ordinal, type, null, Set.of());
  }

  /** Whether the source table still has it: the same column, not another one of its name. */
  public boolean isOnTable() {
    return !traits.contains(Trait.DROPPED);
  }

  public boolean isComputed() {
    return traits.contains(Trait.COMPUTED);
  }

  public boolean isEncrypted() {
    return traits.contains(Trait.ENCRYPTED);
  }

  public boolean isMasked() {
    return traits.contains(Trait.MASKED);
  }

  public boolean isClustered() {
    return traits.contains(Trait.CLUSTERED);
  }

  public boolean isInOtherCodePage() {
    return traits.contains(Trait.OTHER_CODE_PAGE);
  }
}
