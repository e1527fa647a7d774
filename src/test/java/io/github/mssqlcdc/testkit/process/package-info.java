/** JVMs beside the one of a test. */
@NullMarked
package io.github.mssqlcdc.testkit.process;

import org.jspecify.annotations.NullMarked;
