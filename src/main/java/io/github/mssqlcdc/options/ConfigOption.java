package io.github.mssqlcdc.options;

import org.jspecify.annotations.Nullable;

/**
 * One option: all that parsing, messages and the option reference need to know about it.
 *
 * @param name as documented; matched ignoring case
 * @param formats which formats take it
 * @param fallback text that stands for an absent option; null: absent means none
 * @param allowed what a value may be, as it reads after "expected"
 * @param parser reads a value
 * @param help what it does, for the option reference
 */
record ConfigOption<T>(
    String name,
    Formats formats,
    @Nullable String fallback,
    String allowed,
    Parser<T> parser,
    String help) {

  /** Which formats take an option. */
  enum Formats {
    BOTH,
    STREAM,
    SNAPSHOT,
    /** Set by the library itself, never documented. */
    INTERNAL
  }

  /** Reads an option's text; throws {@link IllegalArgumentException} if it isn't allowed. */
  @FunctionalInterface
  interface Parser<T> {
    /** The value; null where the text says "none". */
    @Nullable T parse(String text);
  }
}
