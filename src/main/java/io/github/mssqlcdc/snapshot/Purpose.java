package io.github.mssqlcdc.snapshot;

import io.github.mssqlcdc.facts.FactsEvent;
import io.github.mssqlcdc.facts.SinkIds;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a snapshot is taken for.
 *
 * @param kind what it does for the stream
 * @param generation the stream's generation that begins with it, or that it is taken in
 * @param lost what it makes good; null unless it follows a loss
 */
public record Purpose(Kind kind, int generation, @Nullable LostChanges lost) {
  public static final Purpose BOOTSTRAP = new Purpose(Kind.BOOTSTRAP, 0, null);

  /** What snapshots do for a stream. */
  public enum Kind {
    /** It begins with it. */
    BOOTSTRAP,
    /** It begins anew with it, after a loss. */
    RESNAPSHOT,
    /** It goes on; columns that came with a newer capture instance are filled. */
    SWITCH;

    /** The kind's name in the detail of an open. */
    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** After a loss. */
  public static Purpose resnapshot(int generation, LostChanges lost) {
    return new Purpose(Kind.RESNAPSHOT, generation, lost);
  }

  /** For the columns that came with a switch. */
  public static Purpose ofSwitch(int generation) {
    return new Purpose(Kind.SWITCH, generation, null);
  }

  /** Whether it is for the columns that came with a switch. */
  public boolean isForSwitch() {
    return kind == Kind.SWITCH;
  }

  /** The event that says that it is complete. */
  FactsEvent completion() {
    return switch (kind) {
      case BOOTSTRAP -> FactsEvent.BOOTSTRAP;
      case RESNAPSHOT -> FactsEvent.RESNAPSHOT;
      case SWITCH -> FactsEvent.SWITCH_SNAPSHOT;
    };
  }

  /** The stream's id in its tables, from this snapshot on. */
  public String sinkId(String appId) {
    return SinkIds.of(appId, generation);
  }
}
