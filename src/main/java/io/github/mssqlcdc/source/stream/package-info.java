/**
 * Micro-batches of a change table: where they end, how they are cut, what guards them. Internal.
 */
@NullMarked
package io.github.mssqlcdc.source.stream;

import org.jspecify.annotations.NullMarked;
