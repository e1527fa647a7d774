/** The table of chunked snapshots beside bronze: their opens, plans and what was read. Internal. */
@NullMarked
package io.github.mssqlcdc.plans;

import org.jspecify.annotations.NullMarked;
