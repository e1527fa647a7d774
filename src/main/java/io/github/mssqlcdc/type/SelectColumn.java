package io.github.mssqlcdc.type;

import java.util.List;

/** A column to ask the database for. */
public record SelectColumn(String name, SelectForm form) {

  /** Columns as they are. */
  public static List<SelectColumn> plain(List<String> names) {
    return names.stream().map(name -> new SelectColumn(name, SelectForm.COLUMN)).toList();
  }
}
