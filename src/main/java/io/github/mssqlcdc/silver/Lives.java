package io.github.mssqlcdc.silver;

import io.github.mssqlcdc.bronze.BronzeColumns;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Follows rows through changes of their key that come as before- and after-images, so that what the
 * images under the old key carry is known of the row under its new one.
 */
final class Lives {
  private static final Comparator<String> NULLS_FIRST =
      Comparator.nullsFirst(Comparator.naturalOrder());

  private final Map<Place, String> afterImages = new HashMap<>();
  private final Map<String, List<Image>> alive = new HashMap<>();
  private final Map<Place, List<Image>> taken = new HashMap<>();
  private final List<Carried> carried = new ArrayList<>();

  private final Reach reach;

  private Lives(Reach reach) {
    this.reach = reach;
  }

  /** Where an image stands, but for its operation, which an update's two images don't share. */
  record Place(int history, String lsn, @Nullable Integer command, @Nullable String seqval) {}

  /**
   * An image without its values.
   *
   * @param key as text
   */
  record Image(String key, Place place, int operation) {}

  /**
   * An image that tells of a row under a later key.
   *
   * @param to the after-image that gave the row that key
   */
  record Carried(Image from, Image to) {}

  /** What the images of older keys tell of newer ones, oldest first for each. */
  static List<Carried> carried(List<Image> images, Reach reach) {
    Lives lives = new Lives(reach);
    images.stream()
        .filter(image -> image.operation == ImageFold.AFTER)
        .forEach(image -> lives.afterImages.put(image.place, image.key));
    images.stream().sorted(lives.order()).forEach(lives::follow);
    return lives.carried;
  }

  /** As {@link ImageFold} places them. */
  private Comparator<Image> order() {
    return Comparator.<Image>comparingInt(image -> image.place.history)
        .thenComparing(image -> image.place.lsn)
        .thenComparing(image -> image.operation == BronzeColumns.SNAPSHOT_ROW ? 1 : 0)
        .thenComparing(
            image -> image.place.command, Comparator.nullsFirst(Comparator.naturalOrder()))
        .thenComparing(image -> image.place.command != null && movesAway(image) ? 0 : 1)
        .thenComparing(image -> image.place.seqval, NULLS_FIRST)
        .thenComparing(Image::operation);
  }

  private boolean movesAway(Image image) {
    return image.operation == ImageFold.BEFORE && !image.key.equals(afterImages.get(image.place));
  }

  private void follow(Image image) {
    if (image.operation == ImageFold.DELETE || image.operation == ImageFold.ABSENT) {
      alive.remove(image.key);
    } else if (movesAway(image)) {
      List<Image> life = alive.remove(image.key);
      List<Image> moved = life == null ? new ArrayList<>() : life;
      moved.add(image);
      taken.put(image.place, moved);
    } else {
      List<Image> arrived = image.operation == ImageFold.AFTER ? taken.remove(image.place) : null;
      if (arrived != null) {
        arrived.removeIf(from -> !reach.tells(from, image));
        arrived.forEach(from -> carried.add(new Carried(from, image)));
        alive.put(image.key, arrived);
      }
      alive.computeIfAbsent(image.key, key -> new ArrayList<>()).add(image);
    }
  }
}
