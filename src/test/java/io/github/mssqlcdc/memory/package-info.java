/** What {@code mvn -q -P memory} runs: large reads in JVMs of little heap. */
@NullMarked
package io.github.mssqlcdc.memory;

import org.jspecify.annotations.NullMarked;
