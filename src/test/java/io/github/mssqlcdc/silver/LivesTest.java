package io.github.mssqlcdc.silver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.silver.Lives.Carried;
import io.github.mssqlcdc.silver.Lives.Image;
import io.github.mssqlcdc.silver.Lives.Place;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LivesTest {
  private static final Image LEAVES_A = image("a", 2, 1, 2, 3);
  private static final Image ARRIVES_B = image("b", 2, 1, 2, 4);
  private static final Image LEAVES_B = image("b", 3, 1, 3, 3);
  private static final Image ARRIVES_C = image("c", 3, 1, 3, 4);

  private static Image image(
      String key, int lsn, @Nullable Integer command, int seqval, int operation) {
    return new Image(key, new Place(0, "0x0" + lsn, command, "0x0" + seqval), operation);
  }

  @Test
  void aRowTakesItsImagesAlongThroughEveryKey() {
    Image inserted = image("a", 1, 1, 1, 2);
    assertThat(
            Lives.carried(
                List.of(ARRIVES_C, LEAVES_B, ARRIVES_B, LEAVES_A, inserted), place -> true))
        .containsExactly(
            new Carried(inserted, ARRIVES_B),
            new Carried(LEAVES_A, ARRIVES_B),
            new Carried(inserted, ARRIVES_C),
            new Carried(LEAVES_A, ARRIVES_C),
            new Carried(ARRIVES_B, ARRIVES_C),
            new Carried(LEAVES_B, ARRIVES_C));
  }

  @Test
  void nothingComesAlongFromBeforeADelete() {
    Image first = image("a", 1, 1, 1, 2);
    Image deleted = image("a", 2, 1, 2, 1);
    Image again = image("a", 2, 2, 3, 2);
    Image leaves = image("a", 3, 1, 4, 3);
    Image arrives = image("b", 3, 1, 4, 4);
    assertThat(Lives.carried(List.of(first, deleted, again, leaves, arrives), place -> true))
        .containsExactly(new Carried(again, arrives), new Carried(leaves, arrives));
  }

  @Test
  void aStatementThatSwapsKeysSwapsTheirImages() {
    Image a = image("a", 1, 1, 1, 2);
    Image b = image("b", 1, 2, 2, 2);
    Image aLeaves = image("a", 2, 1, 3, 3);
    Image aToB = image("b", 2, 1, 3, 4);
    Image bLeaves = image("b", 2, 1, 4, 3);
    Image bToA = image("a", 2, 1, 4, 4);
    assertThat(Lives.carried(List.of(a, b, aLeaves, aToB, bLeaves, bToA), place -> true))
        .containsExactlyInAnyOrder(
            new Carried(a, aToB),
            new Carried(aLeaves, aToB),
            new Carried(b, bToA),
            new Carried(bLeaves, bToA));
  }

  @Test
  void anUpdateThatLeavesTheKeyCarriesNothing() {
    assertThat(
            Lives.carried(
                List.of(image("a", 1, 1, 1, 2), image("a", 2, 1, 2, 3), image("a", 2, 1, 2, 4)),
                place -> true))
        .isEmpty();
  }

  @Test
  void whatASnapshotReadIsCarriedOnlyThroughMovesThatItCannotHaveSeen() {
    Image read = image("a", 1, null, 0, 0);
    List<Image> images = List.of(read, LEAVES_A, ARRIVES_B);
    assertThat(Lives.carried(images, place -> false))
        .containsExactly(new Carried(read, ARRIVES_B), new Carried(LEAVES_A, ARRIVES_B));
    assertThat(Lives.carried(images, place -> true))
        .containsExactly(new Carried(LEAVES_A, ARRIVES_B));
  }

  @Test
  void whatASnapshotReadStaysBehindInLaterMovesToo() {
    Image read = image("a", 1, null, 0, 0);
    assertThat(
            Lives.carried(
                List.of(read, LEAVES_A, ARRIVES_B, LEAVES_B, ARRIVES_C),
                place -> place.lsn().equals("0x02")))
        .containsExactly(
            new Carried(LEAVES_A, ARRIVES_B),
            new Carried(LEAVES_A, ARRIVES_C),
            new Carried(ARRIVES_B, ARRIVES_C),
            new Carried(LEAVES_B, ARRIVES_C));
  }
}
