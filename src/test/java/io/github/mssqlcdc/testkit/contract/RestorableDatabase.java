package io.github.mssqlcdc.testkit.contract;

import io.github.mssqlcdc.testkit.sqlserver.ManualClock;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A database that can be set back to an earlier point, as by {@code RESTORE DATABASE}: on a
 * stand-in that does anew what was done up to there, at the same times, so that it has the same
 * LSNs. What happens then gets LSNs that the former past has had, too, as on a server. The clock
 * moves on by 10 ms with each batch, and isn't set back.
 */
public final class RestorableDatabase implements TestDatabase {
  private static final Instant BEGIN = Instant.parse("2026-10-01T12:00:00Z");
  private static final Duration PER_BATCH = Duration.ofMillis(10);
  private static final String NAME = "restorable";

  private final List<Step> steps = new ArrayList<>();
  private ManualClock clock = new ManualClock(BEGIN);
  private StandInDatabase current = start(clock);

  /** What becomes of CDC in a restore. */
  public enum Cdc {
    /** {@code RESTORE … WITH KEEP_CDC}. */
    KEPT,
    /** Without it: CDC is off in the database that was restored. */
    REMOVED
  }

  /**
   * @param batch null: capture
   */
  private record Step(Instant at, @Nullable String batch) {}

  private static StandInDatabase start(ManualClock clock) {
    return StandInDatabase.create(StandIn.builder().clock(clock).manualCapture().start(), NAME);
  }

  /** What a backup taken now would hold. */
  public int backup() {
    return steps.size();
  }

  /** Sets the database back; it is at another URL then. */
  public void restore(int backup, Cdc cdc) {
    Instant now = clock.instant();
    List<Step> again = List.copyOf(steps.subList(0, backup));
    close();
    steps.clear();
    clock = new ManualClock(BEGIN);
    current = start(clock);
    again.forEach(this::perform);
    clock.set(now);
    if (cdc == Cdc.REMOVED) {
      run("EXEC sys.sp_cdc_disable_db");
    }
  }

  private void perform(Step step) {
    clock.set(step.at());
    steps.add(step);
    if (step.batch() == null) {
      current.awaitCapture();
    } else {
      current.run(step.batch());
    }
  }

  /** Waits in a batch are left out: the clock moves anyway. */
  @Override
  public void run(String... batches) {
    for (String batch : batches) {
      if (!batch.startsWith("WAITFOR")) {
        perform(new Step(clock.instant().plus(PER_BATCH), batch));
      }
    }
  }

  @Override
  public void awaitCapture() {
    perform(new Step(clock.instant(), null));
  }

  @Override
  public String url() {
    return current.url();
  }

  @Override
  public String user() {
    return current.user();
  }

  @Override
  public String password() {
    return current.password();
  }

  @Override
  public Connection connect() throws SQLException {
    return current.connect();
  }

  @Override
  public List<List<Object>> query(String sql) {
    return current.query(sql);
  }

  @Override
  public TestLogin createLogin(String user) {
    return current.createLogin(user);
  }

  @Override
  public void close() {
    current.close();
    current.standIn().close();
  }
}
