package io.github.mssqlcdc.testkit.sqlserver.tds;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A self-signed certificate for localhost, made once per JVM with the JDK's own keytool. */
final class ServerCertificate {
  private static final String ALIAS = "stand-in";

  private final SSLContext sslContext;
  private final Path trustStore;
  private final String password;

  private ServerCertificate() {
    this.password = UUID.randomUUID().toString();
    try {
      Path folder = Files.createTempDirectory("sqlserver-certificate");
      Path keyStore = folder.resolve("key.p12");
      generate(keyStore, password);
      KeyStore keys = load(keyStore, password);
      this.sslContext = contextOf(keys, password);
      this.trustStore = folder.resolve("trust.p12");
      storeTrust(keys, trustStore, password);
      Files.delete(keyStore);
      trustStore.toFile().deleteOnExit();
      folder.toFile().deleteOnExit();
    } catch (IOException e) {
      throw new UncheckedIOException("Failed to make a server certificate", e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Failed to make a server certificate", e);
    }
  }

  static ServerCertificate shared() {
    return Holder.INSTANCE;
  }

  SSLContext sslContext() {
    return sslContext;
  }

  /** A PKCS12 file with the certificate alone, for clients that want to trust it. */
  Path trustStore() {
    return trustStore;
  }

  String trustStorePassword() {
    return password;
  }

  private static void generate(Path keyStore, String password) throws IOException {
    ProcessBuilder keytool =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-keyalg",
            "RSA",
            "-keysize",
            "2048",
            "-validity",
            "3650",
            "-alias",
            ALIAS,
            "-dname",
            "CN=localhost",
            "-ext",
            "SAN=dns:localhost,ip:127.0.0.1",
            "-storetype",
            "PKCS12",
            "-keystore",
            keyStore.toString(),
            "-storepass:env",
            "STORE_PASSWORD");
    keytool.environment().put("STORE_PASSWORD", password);
    Process process =
        keytool.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException("Failed to run keytool");
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while keytool ran", e);
    }
  }

  private static KeyStore load(Path file, String password)
      throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, password.toCharArray());
    }
    return keys;
  }

  private static SSLContext contextOf(KeyStore keys, String password)
      throws GeneralSecurityException {
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, password.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  private static void storeTrust(KeyStore keys, Path file, String password)
      throws IOException, GeneralSecurityException {
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    trust.setCertificateEntry(ALIAS, keys.getCertificate(ALIAS));
    try (OutputStream out = Files.newOutputStream(file)) {
      trust.store(out, password.toCharArray());
    }
  }

  private static final class Holder {
    static final ServerCertificate INSTANCE = new ServerCertificate();
  }
}
