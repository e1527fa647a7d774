package io.github.mssqlcdc.quickstart;

import io.github.mssqlcdc.quickstart.SourceScript.Event;
import io.github.mssqlcdc.quickstart.SourceScript.Kind;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * The stand-in, which forgets all when the process ends: what was done to it is kept in a script
 * and done again, at the same times on its clock, when the next run begins.
 */
final class StandInSource implements OrdersSource {
  private static final String DATABASE = "shop";

  private final SourceScript script;
  private final ScriptClock clock = new ScriptClock();
  private final StandIn standIn;
  private final boolean made;

  private StandInSource(SourceScript script, Lake lake) {
    this.script = script;
    this.made = lake.exists() && script.count(Kind.CAPTURE) > 0;
    this.standIn = StandIn.builder().clock(clock).manualCapture().start();
  }

  /** Starts the server and, if there was an earlier run, brings it to where that left it. */
  static StandInSource start(Path scriptFile, Lake lake) {
    var source = new StandInSource(SourceScript.open(scriptFile), lake);
    if (source.made) {
      source.script.events().forEach(source::perform);
    } else {
      source.script.clear();
      source.record(Kind.SERVER, "CREATE DATABASE [" + DATABASE + "]");
      source.record(Kind.SHOP, "EXEC sys.sp_cdc_enable_db");
    }
    return source;
  }

  @Override
  public String description() {
    return "stand-in of SQL Server on port " + standIn.port();
  }

  @Override
  public String table() {
    return "orders";
  }

  @Override
  public boolean isNew() {
    return !made;
  }

  @Override
  public int rounds() {
    return script.count(Kind.ROUND);
  }

  @Override
  public String url() {
    return standIn.url(DATABASE);
  }

  @Override
  public String user() {
    return standIn.adminUser();
  }

  @Override
  public String password() {
    return standIn.adminPassword();
  }

  @Override
  public void run(List<String> batches) {
    batches.forEach(sql -> record(Kind.SHOP, sql));
  }

  @Override
  public void runRound(List<String> batches) {
    record(Kind.ROUND, "");
    run(batches);
  }

  @Override
  public void awaitCapture() {
    record(Kind.CAPTURE, "");
  }

  @Override
  public void close() {
    standIn.close();
  }

  private void record(Kind kind, String sql) {
    Event event = new Event(Instant.now().truncatedTo(ChronoUnit.MILLIS), kind, sql);
    script.append(event);
    perform(event);
  }

  private void perform(Event event) {
    clock.hold(event.at());
    switch (event.kind()) {
      case SERVER -> Jdbc.run(standIn.url("master"), user(), password(), event.sql());
      case SHOP -> Jdbc.run(url(), user(), password(), event.sql());
      case CAPTURE -> standIn.capture();
      case ROUND -> {}
    }
    clock.release();
  }
}
