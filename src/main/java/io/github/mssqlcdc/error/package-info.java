/** Exceptions and their codes. Part of the API. */
@NullMarked
package io.github.mssqlcdc.error;

import org.jspecify.annotations.NullMarked;
