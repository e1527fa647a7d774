package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.sink.SinkOwner;
import io.github.mssqlcdc.snapshot.Generation;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A stream in one of its generations: sink id and checkpoint. Not thread-safe. */
final class LiveStream {
  private static final Logger LOG = LoggerFactory.getLogger(LiveStream.class);

  private final String appId;
  private final Checkpoint base;
  private final Generation generation;
  private final Checkpoint checkpoint;
  private final long known;
  private long held = -1;

  /** The first generation. */
  LiveStream(String appId, Checkpoint checkpoint) {
    this(appId, checkpoint, Generation.FIRST);
  }

  private LiveStream(String appId, Checkpoint base, Generation generation) {
    this.appId = appId;
    this.base = base;
    this.generation = generation;
    this.checkpoint = base.of(generation);
    this.known = checkpoint.latestBatch().orElse(-1);
  }

  LiveStream of(Generation other) {
    return new LiveStream(appId, base, other);
  }

  /**
   * The generation that is live: the facts name it; without them, or where they have been made
   * anew, what lies in the checkpoint.
   *
   * @param events null: there are no facts
   */
  LiveStream found(@Nullable SnapshotEvents events) {
    Generation told = events == null ? Generation.FIRST : events.generation();
    int there = base.latestGeneration();
    Generation kept =
        new GenerationFile(base)
            .read()
            .filter(file -> file.number() >= there)
            .orElseGet(() -> new Generation(there, null, 0));
    if (kept.number() <= told.number()) {
      return of(told);
    }
    LiveStream live = of(kept);
    if (events != null) {
      LOG.warn(
          "{}: the facts don't know generation {}, whose checkpoint is {}; going on with it",
          appId,
          kept.number(),
          live.checkpoint.location());
    }
    if (live.isNew() && kept.start() == null) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_OPTION,
          "Missing factsTable: the stream of checkpoint "
              + base.location()
              + " is in generation "
              + kept.number()
              + " since a re-snapshot, and only the facts know where that begins; set it with"
              + " .factsTable(…)");
    }
    return live;
  }

  Generation generation() {
    return generation;
  }

  Checkpoint checkpoint() {
    return checkpoint;
  }

  String sinkId() {
    return generation.sinkId(appId);
  }

  /** Whether no batch has been planned in this generation. */
  boolean isNew() {
    return known < 0;
  }

  /**
   * @throws io.github.mssqlcdc.error.CdcException CONFLICTING_WRITER if the checkpoint isn't the
   *     one that wrote what the table holds of this stream
   */
  void requireOwn(BronzeTable bronze) {
    SinkOwner owner = owner();
    owner.check(bronze);
    owner.checkCheckpoint(bronze, checkpoint::endOf);
    requireOwner(bronze.name());
    held = Math.max(held, bronze.latestBatch(sinkId()).orElse(-1));
  }

  /** Another stream's batches would be taken for its own, or what they skip for read. */
  private void requireOwner(String target) {
    if (base.latestBatch().isEmpty() && base.latestGeneration() == 0) {
      return;
    }
    new OwnerFile(base)
        .read()
        .filter(owner -> !owner.appId().equals(appId))
        .ifPresent(
            owner -> {
              throw new CdcException(
                  ErrorCode.CONFLICTING_WRITER,
                  "Cannot start '"
                      + appId
                      + "' on "
                      + target
                      + ": the checkpoint "
                      + base.location()
                      + " is that of '"
                      + owner.appId()
                      + "', which writes to "
                      + owner.target()
                      + "; '"
                      + appId
                      + "' would go on from a position that isn't its own. Give it a checkpoint of"
                      + " its own; or go on with appId '"
                      + owner.appId()
                      + "'");
            });
  }

  /** The same of the facts; null: there are none. */
  void requireOwn(String target, @Nullable FactsTable facts) {
    if (facts != null) {
      owner().check(target, facts);
      held = Math.max(held, facts.latestBatch(sinkId()).orElse(-1));
    }
  }

  private SinkOwner owner() {
    return new SinkOwner(sinkId(), checkpoint.location(), known);
  }

  /**
   * Up to where the stream has read, as checkpoint and tables tell; call it when both are known to
   * be its own.
   *
   * @param start where it begins if it is new; null if that isn't known
   */
  Optional<Offset> position(@Nullable Offset start) {
    return checkpoint.position(held).or(() -> Optional.ofNullable(start));
  }

  /** Where the changes begin that it reads in this generation; null: nowhere yet. */
  @Nullable Lsn begin() {
    Optional<Offset> start =
        generation.number() > 0
            ? Optional.ofNullable(generation.start())
            : isNew() ? Optional.empty() : checkpoint.start();
    return start.map(Offset::lsn).orElse(null);
  }

  /** Where the batch ends that was planned last, done or not; empty if none was. */
  Optional<Offset> planned() {
    return isNew() ? Optional.empty() : checkpoint.endOf(known);
  }

  /**
   * Says in the checkpoint whose it is, and which generation is live.
   *
   * @param target bronze, as the caller spelt it
   */
  void keep(String target) {
    new OwnerFile(base).keep(new OwnerFile.Owner(appId, target));
    new GenerationFile(base).keep(generation);
  }
}
