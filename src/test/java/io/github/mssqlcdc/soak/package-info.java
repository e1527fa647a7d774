/**
 * What {@code mvn -q -P soak} runs: a stream under load and faults for as long as one likes, and a
 * verdict at its end.
 */
@NullMarked
package io.github.mssqlcdc.soak;

import org.jspecify.annotations.NullMarked;
