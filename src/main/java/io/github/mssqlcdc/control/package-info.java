/** The control table: how far each table is final and applied. Internal. */
@NullMarked
package io.github.mssqlcdc.control;

import org.jspecify.annotations.NullMarked;
