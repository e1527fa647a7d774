/** One Spark session per test JVM, with settings that make small tests fast. */
package io.github.mssqlcdc.testkit.spark;
