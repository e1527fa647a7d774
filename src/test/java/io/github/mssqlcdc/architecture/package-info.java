/** The rules that hold the packages apart. */
package io.github.mssqlcdc.architecture;
