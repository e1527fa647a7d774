package io.github.mssqlcdc.testkit.sqlserver.backend;

/**
 * One client's session. {@link #execute} is called by one thread at a time; {@link #cancel} by any
 * other while it runs.
 */
public interface BackendSession extends AutoCloseable {

  /** The database the session is in. */
  String database();

  /** Collation of that database. */
  default String collation() {
    return Collation.DEFAULT;
  }

  /** Session id, as {@code @@SPID}. */
  int spid();

  /**
   * Runs one statement batch or remote procedure call and writes its results to the sink, in order.
   * An error of a statement goes to {@link ResponseSink#error}; whether the batch goes on after it
   * is the engine's decision. This method throws only for bugs.
   */
  void execute(Request request, ResponseSink sink);

  /**
   * Stops what {@link #execute} is doing, soon; it then returns without a further result. Comes
   * again and again until that has happened, so that execute may begin with forgetting earlier
   * ones.
   */
  void cancel();

  /** Rolls back what is open and frees the session. */
  @Override
  void close();
}
