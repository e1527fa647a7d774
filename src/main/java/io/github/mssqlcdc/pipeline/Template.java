package io.github.mssqlcdc.pipeline;

/**
 * A name or path with a place in it for each table's own.
 *
 * @param field what it is given for
 */
record Template(String field, String text) {
  static final String PLACE = "{ci}";

  /**
   * @throws io.github.mssqlcdc.error.InvalidRequestException if it has no such place
   */
  Template {
    if (!text.contains(PLACE)) {
      throw Arguments.invalid(
          "Invalid "
              + field
              + " '"
              + text
              + "': it needs "
              + PLACE
              + " where the capture instance's name goes, so that each table has one of its own");
    }
  }

  String of(String captureInstance) {
    return text.replace(PLACE, captureInstance);
  }
}
