/** What the streams of one JVM share. Internal. */
@NullMarked
package io.github.mssqlcdc.registry;

import org.jspecify.annotations.NullMarked;
