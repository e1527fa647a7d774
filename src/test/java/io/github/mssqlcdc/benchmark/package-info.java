/** Ours measured against others. Nothing here asserts a time. */
package io.github.mssqlcdc.benchmark;
