/** LSNs, positions in a change table and ranges of it, with their order. Internal but for Lsn. */
@NullMarked
package io.github.mssqlcdc.lsn;

import org.jspecify.annotations.NullMarked;
