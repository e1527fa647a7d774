/** One micro-batch into the lakehouse: rows, then facts, each once. Internal. */
@NullMarked
package io.github.mssqlcdc.sink;

import org.jspecify.annotations.NullMarked;
