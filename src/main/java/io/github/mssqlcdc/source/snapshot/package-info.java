/** The current rows of a source table as a batch read. Internal. */
@NullMarked
package io.github.mssqlcdc.source.snapshot;

import org.jspecify.annotations.NullMarked;
