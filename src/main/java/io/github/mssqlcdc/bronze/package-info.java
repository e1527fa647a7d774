/** The append-only change log: its columns, its commits, and what is known from them. Internal. */
@NullMarked
package io.github.mssqlcdc.bronze;

import org.jspecify.annotations.NullMarked;
