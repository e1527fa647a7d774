package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.connection.ConnectFailedException;
import io.github.mssqlcdc.connection.ConnectionTarget;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.MissingGrantException;
import java.security.GeneralSecurityException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Turns the driver's exceptions into ours: what was tried, why it failed, what to do. */
final class ErrorTranslator {
  private static final int MAX_CAUSES = 20;

  private static final String CERTIFICATE =
      "\nThe driver encrypts by default and doesn't trust the server's certificate: put its issuer"
          + " into a trust store and name that in 'jdbc.trustStore' and 'jdbc.trustStorePassword'."
          + "\nWith 'jdbc.trustServerCertificate' = true any certificate is taken: whoever stands"
          + " between can read and change all that is sent, passwords too.";

  /** A token given, or what fetches one. */
  private static final String TOKEN = "accessToken";

  private final ConnectionTarget target;
  private final Diagnosis diagnosis;
  private final MissingRights rights;

  /** Questions that find a failure's cause; none of them fails. */
  interface Diagnosis {
    /** Whether CDC is enabled on the database; empty if the server doesn't tell. */
    Optional<Boolean> isCdcEnabled();

    /** Whether the login may SELECT this object; empty if there is none, or it isn't told. */
    Optional<Boolean> maySelect(String quotedName);

    /** Columns of this object that the login may not SELECT; empty if it isn't told. */
    List<String> deniedColumns(String quotedName);

    /** The database user that the login is; empty if it isn't told. */
    Optional<String> user();
  }

  ErrorTranslator(ConnectionTarget target, Diagnosis diagnosis) {
    this.target = target;
    this.diagnosis = diagnosis;
    this.rights = new MissingRights(target, diagnosis);
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
    MissingGrantException missing = missingGrant(purpose, instance, failure);
    if (missing != null) {
      return missing;
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
                  + "): the login was refused. "
                  + (target.properties().containsKey(TOKEN)
                      ? "The access token given has expired, or its principal may not open the"
                          + " database: a token lives for about an hour and each new connection"
                          + " needs one. Set 'jdbc.authentication' or"
                          + " 'jdbc.accessTokenCallbackClass' instead, which fetch one each time"
                      : "Check options 'user' and 'password', and that the login may open the"
                          + " database");
          case ErrorNumbers.DATABASE_REFUSED ->
              "Cannot open the database ("
                  + target
                  + "): it does not exist, or the login may not open it. Check databaseName in"
                  + " option 'url'"
                  + createUser();
          default ->
              "Cannot connect (" + target + "). Check host, port and encryption in option 'url'";
        };
    return new CdcException(
        ErrorCode.CONNECTION_FAILED,
        what + ": " + failure.getMessage() + (isOfCertificate(failure) ? CERTIFICATE : ""),
        failure);
  }

  /** Exactly what an administrator runs in the database, where the login's name is known. */
  private String createUser() {
    String user = target.user();
    String mode = target.properties().getOrDefault("authentication", "").toLowerCase(Locale.ROOT);
    boolean isEntra =
        mode.startsWith("activedirectory")
            || target.properties().keySet().stream().anyMatch(name -> name.startsWith(TOKEN));
    if (!isEntra) {
      return user == null
          ? ""
          : ", or ask for CREATE USER "
              + Quoting.name(user)
              + " FOR LOGIN "
              + Quoting.name(user)
              + " in the database";
    }
    // an application is known by an id here, and by its name there
    boolean isPerson = user != null && user.contains("@");
    return ", or ask for CREATE USER "
        + (isPerson && user != null ? Quoting.name(user) : "[<its name in Microsoft Entra>]")
        + " FROM EXTERNAL PROVIDER in the database";
  }

  private static boolean isOfCertificate(SQLException failure) {
    return Stream.iterate((Throwable) failure, e -> e != null, Throwable::getCause)
        .limit(MAX_CAUSES)
        .anyMatch(e -> e instanceof GeneralSecurityException || e instanceof SSLException);
  }

  private boolean isAboutDisabledCdc(SQLException failure) {
    return switch (failure.getErrorCode()) {
      case ErrorNumbers.CDC_NOT_ENABLED -> true;
      // the functions of CDC read tables that exist only where it is enabled
      case ErrorNumbers.NO_SUCH_OBJECT -> !diagnosis.isCdcEnabled().orElse(true);
      default -> false;
    };
  }

  private @Nullable MissingGrantException missingGrant(
      String purpose, @Nullable CaptureInstance instance, SQLException failure) {
    if (failure.getErrorCode() != ErrorNumbers.CDC_ACCESS_DENIED) {
      return rights.behind(purpose, instance, failure);
    }
    MissingGrantException hidden =
        instance == null ? null : rights.hidden(purpose, instance.name(), failure);
    return hidden != null
        ? hidden
        : new MissingGrantException(
            "Cannot "
                + purpose
                + ": the capture instance does not exist any more, or the login lacks SELECT on its"
                + " source table or membership in its gating role ("
                + target
                + ")",
            failure);
  }
}
