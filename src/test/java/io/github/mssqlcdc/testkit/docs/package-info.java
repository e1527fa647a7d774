/** What tests of the documentation share. */
@NullMarked
package io.github.mssqlcdc.testkit.docs;

import org.jspecify.annotations.NullMarked;
