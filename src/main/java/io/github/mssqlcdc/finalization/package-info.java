/** How far a table is final: from the positions of its stream. Internal. */
@NullMarked
package io.github.mssqlcdc.finalization;

import org.jspecify.annotations.NullMarked;
