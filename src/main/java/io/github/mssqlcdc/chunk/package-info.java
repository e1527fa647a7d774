/** How a table is cut: on which columns, how far, into which chunks. Internal. */
@NullMarked
package io.github.mssqlcdc.chunk;

import org.jspecify.annotations.NullMarked;
