/** The checkpointed position and its JSON. Part of the API. */
@NullMarked
package io.github.mssqlcdc.offset;

import org.jspecify.annotations.NullMarked;
