/** Random lives of a database and of the streams that follow it, and what must hold after them. */
package io.github.mssqlcdc.testkit.history;
