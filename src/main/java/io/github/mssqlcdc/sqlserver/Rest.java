package io.github.mssqlcdc.sqlserver;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** What is still to be read of a range. */
interface Rest {

  /**
   * The statement batch that reads it: max LSN and the session's wait; the rows; min LSN, max LSN
   * and the wait again.
   *
   * @param wait T-SQL of the session's wait
   */
  Batch batch(String wait);

  /** What is left after this row; empty if it can't be told from what was read. */
  Optional<Rest> after(ResultSet row) throws SQLException;

  /** Why it can't be told, as it reads after "because". */
  String obstacle();
}
