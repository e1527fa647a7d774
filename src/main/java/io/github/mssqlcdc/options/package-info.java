/** Options, parsed once at the edge into records. Part of the API. */
@NullMarked
package io.github.mssqlcdc.options;

import org.jspecify.annotations.NullMarked;
