/** Frames and tables for tests of the lakehouse. */
package io.github.mssqlcdc.testkit.delta;
