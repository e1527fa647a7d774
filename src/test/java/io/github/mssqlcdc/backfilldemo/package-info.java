/**
 * A chunked snapshot to look at, and one that is killed again and again: {@code mvn -q -P
 * backfill-demo} and {@code mvn -q -P drill}. The server is the stand-in; stream and backfill are
 * processes of their own.
 */
package io.github.mssqlcdc.backfilldemo;
