package io.github.mssqlcdc.type;

import java.io.Serializable;
import org.apache.spark.sql.types.StructField;

/**
 * A captured column as a query reads it.
 *
 * @param name its exact name on the server
 * @param field its name and type in the query, always nullable
 * @param reader writes values of the field's type
 */
public record ReadColumn(String name, StructField field, ColumnReader reader)
    implements Serializable {}
