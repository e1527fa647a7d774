package io.github.mssqlcdc.quickstart;

import java.util.List;
import java.util.Map;

/** The server that the quick start works on: the stand-in, or one reached by URL. */
interface OrdersSource extends AutoCloseable {

  /** What it is, for a person. */
  String description();

  /** Name of the orders table in schema {@code dbo}, the quick start's own. */
  String table();

  /** Whether the table still has to be made. */
  boolean isNew();

  /** How many rounds of changes it has seen. */
  int rounds();

  String url();

  String user();

  String password();

  /** Runs each text as a statement batch of its own. */
  void run(List<String> batches);

  /** Runs a round of changes, the next by number. */
  void runRound(List<String> batches);

  /** Waits until capture has brought everything committed so far into the change table. */
  void awaitCapture();

  /** Leaves the server as it was found, as far as the next run doesn't need it. */
  @Override
  void close();

  default String captureInstance() {
    return "dbo_" + table();
  }

  /** Options of the stream. */
  default Map<String, String> options() {
    return Map.of(
        "url", url(),
        "user", user(),
        "password", password(),
        "captureInstance", captureInstance());
  }
}
