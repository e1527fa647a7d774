/** SQL Server in a container, for the contract tests. */
@NullMarked
package io.github.mssqlcdc.testkit.container;

import org.jspecify.annotations.NullMarked;
