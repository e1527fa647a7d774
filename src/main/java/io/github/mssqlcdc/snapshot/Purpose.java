package io.github.mssqlcdc.snapshot;

import io.github.mssqlcdc.facts.FactsEvent;
import io.github.mssqlcdc.facts.SinkIds;
import org.jspecify.annotations.Nullable;

/**
 * What a snapshot is taken for.
 *
 * @param generation the stream's generation that begins with it
 * @param lost what it makes good; null: nothing, it is the first
 */
public record Purpose(int generation, @Nullable LostChanges lost) {
  public static final Purpose BOOTSTRAP = new Purpose(0, null);

  /** Its kind in the detail of an open. */
  String kind() {
    return lost == null ? "bootstrap" : "resnapshot";
  }

  /** The event that says that it is complete. */
  FactsEvent completion() {
    return lost == null ? FactsEvent.BOOTSTRAP : FactsEvent.RESNAPSHOT;
  }

  /** The stream's id in its tables, from this snapshot on. */
  public String sinkId(String appId) {
    return SinkIds.of(appId, generation);
  }
}
