/** The catalogue of one database: schemas, tables, principals, grants. */
package io.github.mssqlcdc.testkit.sqlserver.engine.catalog;
