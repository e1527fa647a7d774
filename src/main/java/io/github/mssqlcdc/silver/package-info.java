/** The current state of a source table, merged from its change log. Internal. */
@NullMarked
package io.github.mssqlcdc.silver;

import org.jspecify.annotations.NullMarked;
