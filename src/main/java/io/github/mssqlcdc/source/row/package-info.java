/** From rows of the database to column batches of Spark. Internal. */
@NullMarked
package io.github.mssqlcdc.source.row;

import org.jspecify.annotations.NullMarked;
