/** Table definitions and their versions. Internal. */
@NullMarked
package io.github.mssqlcdc.delta.schema;

import org.jspecify.annotations.NullMarked;
