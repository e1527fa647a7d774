/** What the facts keep of a snapshot: its open, and that it is complete. Internal. */
@NullMarked
package io.github.mssqlcdc.snapshot;

import org.jspecify.annotations.NullMarked;
