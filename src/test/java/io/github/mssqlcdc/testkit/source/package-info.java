/** A fake of the database port, for tests of the source without a server. */
package io.github.mssqlcdc.testkit.source;
