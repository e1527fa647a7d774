/** Networks that break as told. */
@NullMarked
package io.github.mssqlcdc.testkit.network;

import org.jspecify.annotations.NullMarked;
