/**
 * A stand-in in a process of its own whose large tables cost it next to nothing: their rows are
 * encoded once and sent over and over, with key and LSN put in. Everything else is answered by the
 * engine. {@link io.github.mssqlcdc.testkit.sqlserver.replay.ReplayProcess} is the way in.
 */
@NullMarked
package io.github.mssqlcdc.testkit.sqlserver.replay;

import org.jspecify.annotations.NullMarked;
