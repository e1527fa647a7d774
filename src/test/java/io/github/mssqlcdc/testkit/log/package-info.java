/** What is logged, for tests that ask. */
@NullMarked
package io.github.mssqlcdc.testkit.log;

import org.jspecify.annotations.NullMarked;
