package io.github.mssqlcdc.silver;

import io.github.mssqlcdc.bronze.BronzeColumns;
import io.github.mssqlcdc.bronze.Position;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.silver.Lives.Image;
import io.github.mssqlcdc.silver.Lives.Place;
import org.jspecify.annotations.Nullable;

/**
 * What images tell of a row that an update has given another key.
 *
 * @param since images from before it tell nothing of later ones: changes may be lost in between.
 *     Null: there is no such place
 * @param seen a snapshot's read may have seen what came up to here, though it is stamped with an
 *     earlier commit: under the old key it may have met another row already. Null: there was no
 *     snapshot
 */
record Reach(@Nullable Position since, @Nullable Position seen) {

  /**
   * Whether an image of the old key tells of the row.
   *
   * @param to the after-image that gave it the new one
   */
  boolean tells(Image from, Image to) {
    boolean isLost = since != null && isBefore(from, since) && !isBefore(to, since);
    boolean isOfAnother =
        from.operation() == BronzeColumns.SNAPSHOT_ROW
            && seen != null
            && !position(to.place()).isAfter(seen);
    return !isLost && !isOfAnother;
  }

  private static boolean isBefore(Image image, Position position) {
    return position.isAfter(position(image.place()));
  }

  private static Position position(Place place) {
    return new Position(place.history(), Lsn.parse(place.lsn()));
  }
}
