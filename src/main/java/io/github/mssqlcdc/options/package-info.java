/** Options, parsed once at the edge into records. Internal, but for the enums of the facade. */
@NullMarked
package io.github.mssqlcdc.options;

import org.jspecify.annotations.NullMarked;
