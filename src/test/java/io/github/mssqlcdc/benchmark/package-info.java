/** Numbers, printed for a person; nothing here asserts a time. */
package io.github.mssqlcdc.benchmark;
