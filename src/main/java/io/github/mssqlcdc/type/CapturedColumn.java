package io.github.mssqlcdc.type;

import java.io.Serializable;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A column of a capture instance.
 *
 * @param name its exact name
 * @param columnId its id in the source table; a column dropped and added again has another
 * @param ordinal 1-based place in the change table, metadata columns not counted
 * @param type its type now, an alias type already resolved to its base type
 * @param recorded its type as its capture instance tells it
 * @param collation collation of a character column on the source table; null: it has none
 */
public record CapturedColumn(
    String name,
    int columnId,
    int ordinal,
    SqlType type,
    SqlType recorded,
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
    OTHER_CODE_PAGE,
    /** The capture instance at hand doesn't have it, another one of the table does. */
    NOT_CAPTURED,
    /** One of the table's capture instances doesn't have it. */
    NOT_EVERYWHERE
  }

  public CapturedColumn {
    traits = Set.copyOf(traits);
  }

  /** One whose type is as recorded. */
  public CapturedColumn(
      String name,
      int columnId,
      int ordinal,
      SqlType type,
      @Nullable String collation,
      Set<Trait> traits) {
    this(name, columnId, ordinal, type, type, collation, traits);
  }

  /** A plain column that is still on the source table. */
  public CapturedColumn(String name, int columnId, int ordinal, SqlType type) {
    this(name, columnId, ordinal, type, null, Set.of());
  }

  /** The same column with one more trait. */
  public CapturedColumn with(Trait trait) {
    Set<Trait> more = EnumSet.of(trait);
    more.addAll(traits);
    return new CapturedColumn(name, columnId, ordinal, type, recorded, collation, more);
  }

  /** Whether the rows at hand have it at all. */
  public boolean isCaptured() {
    return !traits.contains(Trait.NOT_CAPTURED);
  }

  /** Whether there are rows of the table's changes that don't have it. */
  public boolean isMissingSomewhere() {
    return !isCaptured() || traits.contains(Trait.NOT_EVERYWHERE);
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
