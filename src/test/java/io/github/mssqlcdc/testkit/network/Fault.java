package io.github.mssqlcdc.testkit.network;

import java.time.Duration;

/**
 * What befalls a connection's bytes of one direction.
 *
 * @param direction of the bytes that count
 * @param at how many of them pass before it happens
 * @param kind what happens
 * @param pause how long, for {@link Kind#DELAY}; per 8 KB, for {@link Kind#THROTTLE}
 */
public record Fault(Direction direction, long at, Kind kind, Duration pause) {

  /** Which way bytes go. */
  public enum Direction {
    TO_CLIENT,
    TO_SERVER
  }

  /** What happens. */
  public enum Kind {
    /** Both sides see the end of the stream. */
    CUT,
    /** Both sides see a reset. */
    RESET,
    /** Nothing passes any more, either way, and nobody is told. */
    STALL,
    /** What follows comes later, once. */
    DELAY,
    /** What follows comes slowly. */
    THROTTLE
  }

  /** Ends the connection after so many bytes to the client. */
  public static Fault cut(long at) {
    return new Fault(Direction.TO_CLIENT, at, Kind.CUT, Duration.ZERO);
  }

  /** Resets the connection after so many bytes to the client. */
  public static Fault reset(long at) {
    return new Fault(Direction.TO_CLIENT, at, Kind.RESET, Duration.ZERO);
  }

  /** Goes silent after so many bytes to the client. */
  public static Fault stall(long at) {
    return new Fault(Direction.TO_CLIENT, at, Kind.STALL, Duration.ZERO);
  }

  /** Holds back once what follows so many bytes to the client. */
  public static Fault delay(long at, Duration pause) {
    return new Fault(Direction.TO_CLIENT, at, Kind.DELAY, pause);
  }

  /** Slows down what follows so many bytes to the client. */
  public static Fault throttle(long at, Duration pausePer8Kb) {
    return new Fault(Direction.TO_CLIENT, at, Kind.THROTTLE, pausePer8Kb);
  }

  /** The same on the way to the server. */
  public Fault toServer() {
    return new Fault(Direction.TO_SERVER, at, kind, pause);
  }
}
