package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.connection.ConnectFailedException;
import io.github.mssqlcdc.connection.ConnectionTarget;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.MissingGrantException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns the driver's exceptions into ours: what was tried, why it failed, what to do. */
final class ErrorTranslator {
  private static final String TRUST =
      "The server's certificate isn't trusted here: give its authority by 'jdbc.trustStore' and"
          + " 'jdbc.trustStorePassword'. 'jdbc.trustServerCertificate' = true connects without, and"
          + " to anyone who poses as the server";

  private final ConnectionTarget target;
  private final Diagnosis diagnosis;

  /** Questions that find a failure's cause; none of them fails. */
  interface Diagnosis {
    /** Whether CDC is enabled on the database; empty if the server doesn't tell. */
    Optional<Boolean> isCdcEnabled();

    /** Whether the login may SELECT this object; empty if there is none, or it isn't told. */
    Optional<Boolean> maySelect(String quotedName);
  }

  ErrorTranslator(ConnectionTarget target, Diagnosis diagnosis) {
    this.target = target;
    this.diagnosis = diagnosis;
  }

  /**
   * @param purpose what was tried, as it reads after "Failed to"
   * @param instance the capture instance that it was about; null: none
   */
  RuntimeException translate(
      String purpose, @Nullable CaptureInstance instance, SQLException failure) {
    if (failure instanceof ConnectFailedException) {
      return connectFailed(failure);
    }
    if (isAboutDisabledCdc(failure)) {
      return new CdcException(
          ErrorCode.CDC_DISABLED,
          "Cannot "
              + purpose
              + ": change data capture is not enabled on the database ("
              + target
              + "). Enable it with EXEC sys.sp_cdc_enable_db and then on the table with"
              + " sys.sp_cdc_enable_table",
          failure);
    }
    if (failure.getErrorCode() == ErrorNumbers.CDC_ACCESS_DENIED) {
      return new MissingGrantException(
          "Cannot "
              + purpose
              + ": the capture instance does not exist, or the login lacks SELECT"
              + " on its source table or membership in its gating role ("
              + target
              + ")",
          failure);
    }
    String missing = instance == null ? null : missingGrant(instance, failure);
    if (missing != null) {
      return new MissingGrantException(
          "Cannot "
              + purpose
              + ": the login may not read "
              + missing
              + " ("
              + target
              + "). Ask for GRANT SELECT ON "
              + missing
              + " TO the login's user",
          failure);
    }
    String reason =
        failure instanceof SQLTimeoutException ? "no answer in time" : failure.getMessage();
    return new CdcException(
        ErrorCode.SOURCE_FAILED,
        "Failed to "
            + purpose
            + ": "
            + reason
            + " (error "
            + failure.getErrorCode()
            + "; "
            + target
            + ")"
            + advice(failure),
        failure);
  }

  private static String advice(SQLException failure) {
    if (failure.getErrorCode() == ErrorNumbers.LOCK_TIMEOUT) {
      return ". Others held their locks for longer than option 'lockTimeoutMs' allows, on each"
          + " attempt: raise it or leave it out, set option 'isolationLevel' to snapshot, or end"
          + " the transaction that blocks";
    }
    if (failure.getErrorCode() == ErrorNumbers.SNAPSHOT_OFF) {
      return ". Option 'isolationLevel' is snapshot, which the database doesn't allow: ask for ALTER"
          + " DATABASE … SET ALLOW_SNAPSHOT_ISOLATION ON, or set the option to readCommitted";
    }
    return ErrorNumbers.isSnapshotFailed(failure)
        ? ". The snapshot of option 'isolationLevel' met a concurrent change on each attempt: read"
            + " again when the table isn't being altered, or set the option to readCommitted"
        : "";
  }

  private CdcException connectFailed(SQLException failure) {
    String what =
        switch (failure.getErrorCode()) {
          case ErrorNumbers.LOGIN_REFUSED ->
              "Cannot log in ("
                  + target
                  + "): the login was refused. Check options 'user' and"
                  + " 'password', and that the login may open the database";
          case ErrorNumbers.DATABASE_REFUSED ->
              "Cannot open the database ("
                  + target
                  + "): it does not exist, or the login may not"
                  + " open it. Check databaseName in option 'url'";
          default ->
              "Cannot connect ("
                  + target
                  + "). "
                  + (isAboutTrust(failure)
                      ? TRUST
                      : "Check host, port and encryption in option 'url'");
        };
    return new CdcException(
        ErrorCode.CONNECTION_FAILED, what + ": " + failure.getMessage(), failure);
  }

  private static boolean isAboutTrust(SQLException failure) {
    String message = failure.getMessage();
    return message != null && message.contains("PKIX");
  }

  private boolean isAboutDisabledCdc(SQLException failure) {
    return switch (failure.getErrorCode()) {
      case ErrorNumbers.CDC_NOT_ENABLED -> true;
      // the functions of CDC read tables that exist only where it is enabled
      case ErrorNumbers.NO_SUCH_OBJECT -> !diagnosis.isCdcEnabled().orElse(true);
      default -> false;
    };
  }

  /**
   * The object that the login may not read. Whatever the message's language, it names the object;
   * the server is asked, and only its plain no counts.
   */
  private @Nullable String missingGrant(CaptureInstance instance, SQLException failure) {
    String message = failure.getMessage();
    if (message == null) {
      return null;
    }
    ChangeTable table = new ChangeTable(instance);
    if (message.contains(table.name()) && isRefused(table.quoted())) {
      return table.quoted();
    }
    String source = Quoting.name(instance.sourceSchema(), instance.sourceTable());
    return message.contains(instance.sourceTable()) && isRefused(source) ? source : null;
  }

  private boolean isRefused(String quotedName) {
    return !diagnosis.maySelect(quotedName).orElse(true);
  }
}
