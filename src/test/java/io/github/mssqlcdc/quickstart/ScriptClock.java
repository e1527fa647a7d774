package io.github.mssqlcdc.quickstart;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Stands still while an event of the script happens; else shows the time. Thread-safe. */
final class ScriptClock extends Clock {
  private final AtomicReference<@Nullable Instant> held = new AtomicReference<>();

  void hold(Instant instant) {
    held.set(instant);
  }

  void release() {
    held.set(null);
  }

  @Override
  public Instant instant() {
    Instant instant = held.get();
    return instant == null ? Instant.now() : instant;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("The stand-in has a time zone of its own");
  }
}
