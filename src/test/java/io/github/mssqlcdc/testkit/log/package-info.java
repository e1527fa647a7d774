/** What a test wants to know of the log. */
package io.github.mssqlcdc.testkit.log;
