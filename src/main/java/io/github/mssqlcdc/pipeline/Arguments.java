package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.facts.SinkIds;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks of what the requests are given. */
final class Arguments {
  private static final Pattern APP_ID = Pattern.compile("[\\p{L}\\p{Nd}._-]+");

  private static final Set<String> SNAPSHOT_OPTIONS = Set.of("snapshotlsn", "snapshotchunks");

  private Arguments() {}

  static String require(@Nullable String value, String name, String example) {
    if (value == null || value.isBlank()) {
      throw invalid("Missing " + name + ": set it with ." + name + "(\"" + example + "\")");
    }
    return value;
  }

  /** Null is allowed, blank isn't. */
  static @Nullable String optional(@Nullable String value, String name) {
    if (value != null && value.isBlank()) {
      throw invalid("Invalid " + name + " '" + value + "': give a value or leave it out");
    }
    return value;
  }

  static String requireAppId(@Nullable String appId) {
    String id = require(appId, "appId", "orders-v1");
    requireAllowed(id);
    return id;
  }

  /** For requests that need the appId with a facts table only. */
  static @Nullable String appIdOf(@Nullable String factsTable, @Nullable String appId) {
    if (appId != null) {
      requireAllowed(appId);
    } else if (factsTable != null) {
      throw invalid(
          "Missing appId: with factsTable, set the appId of the stream that the facts are of");
    }
    return appId;
  }

  private static void requireAllowed(String appId) {
    if (!APP_ID.matcher(appId).matches()) {
      throw invalid("Invalid appId '" + appId + "': letters, digits, '-', '_' and '.' are allowed");
    }
    if (SinkIds.isLater(appId)) {
      throw invalid(
          "Invalid appId '"
              + appId
              + "': an end like .g1 is kept for the generations after a re-snapshot");
    }
  }

  static void requireNoStart(Map<String, String> options) {
    for (String name : options.keySet()) {
      if (name.equalsIgnoreCase("startingLsn") || name.equalsIgnoreCase("startingTimestamp")) {
        throw invalid(
            "Invalid option '"
                + name
                + "' together with bootstrap: the stream starts at the snapshot's LSN; leave one"
                + " of both out");
      }
    }
  }

  /** A part of the table under a stamp of the caller's would pass for the whole of it. */
  static void requireNoSnapshotOption(Map<String, String> options) {
    for (String name : options.keySet()) {
      if (SNAPSHOT_OPTIONS.contains(name.toLowerCase(Locale.ROOT))) {
        throw invalid(
            "Invalid option '"
                + name
                + "': it is for reading the format mssql_cdc_snapshot; CdcStream chooses stamp and"
                + " parts of its snapshots itself. Leave it out");
      }
    }
  }

  /** For what has a default: null doesn't ask for that. */
  static void requireGiven(@Nullable Object value, String name) {
    if (value == null) {
      throw invalid("Invalid " + name + " null: give a value, or leave the call out");
    }
  }

  /** Null is allowed. */
  static void requireNotNegative(@Nullable Duration value, String name) {
    if (value != null && value.isNegative()) {
      throw invalid("Invalid " + name + " " + value + ": give at least 0");
    }
  }

  static InvalidRequestException invalid(String message) {
    return new InvalidRequestException(ErrorCode.INVALID_OPTION, message);
  }
}
