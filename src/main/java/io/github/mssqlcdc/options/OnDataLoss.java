package io.github.mssqlcdc.options;

import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import org.jspecify.annotations.Nullable;

/** What a stream does whose next changes are gone, or whose source has another past now. */
public enum OnDataLoss {
  /** It stops with an error. */
  FAIL,
  /** It takes a new snapshot when it is started, and goes on from there in a new generation. */
  RESNAPSHOT;

  /**
   * The choice of this name, in any case.
   *
   * @throws InvalidRequestException if there is none; the message lists them
   */
  public static OnDataLoss parse(@Nullable String text) {
    for (OnDataLoss choice : values()) {
      if (choice.name().equalsIgnoreCase(text)) {
        return choice;
      }
    }
    throw new InvalidRequestException(
        ErrorCode.INVALID_OPTION,
        "Invalid value '" + text + "' of onDataLoss: expected fail or resnapshot");
  }
}
