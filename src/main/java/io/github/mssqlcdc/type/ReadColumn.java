package io.github.mssqlcdc.type;

import java.io.Serializable;
import org.apache.spark.sql.types.StructField;

/**
 * A captured column as a query reads it.
 *
 * @param name its exact name on the server
 * @param field its name and type in the query, always nullable
 * @param form how it is asked for
 * @param reader writes values of the field's type
 */
public record ReadColumn(String name, StructField field, SelectForm form, ColumnReader reader)
    implements Serializable {

  /** Whether the database is asked for it; else it reads NULL. */
  public boolean isSelected() {
    return form != SelectForm.NONE;
  }

  /** The same column, reading NULL in every row. */
  public ReadColumn absent() {
    return new ReadColumn(name, field, SelectForm.NONE, reader);
  }
}
