package io.github.mssqlcdc.testkit.sqlserver.tds;

import java.io.InputStream;
import java.io.OutputStream;

/**
 * Where messages go after PRELOGIN and TLS.
 *
 * @param tdsVersion as LOGINACK tells it
 */
record Channel(InputStream in, OutputStream out, int tdsVersion) {
  static final int TDS_7_4 = 0x74000004;
  static final int TDS_8_0 = 0x08000000;
}
