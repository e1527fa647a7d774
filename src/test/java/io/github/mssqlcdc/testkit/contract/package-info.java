/** Tests of server-facing behaviour, and the port they are written on. */
package io.github.mssqlcdc.testkit.contract;
