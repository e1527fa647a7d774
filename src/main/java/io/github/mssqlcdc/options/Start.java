package io.github.mssqlcdc.options;

import io.github.mssqlcdc.offset.Offset;
import java.time.Instant;

/** Where a stream without a checkpoint begins. */
public sealed interface Start {
  /** Just before the oldest change that the change table holds. */
  record Earliest() implements Start {}

  /** After the newest commit captured. */
  record Latest() implements Start {}

  /** After this position, which counts as processed. */
  record After(Offset offset) implements Start {}

  /** With the first commit at or after this time. */
  record From(Instant time) implements Start {}
}
