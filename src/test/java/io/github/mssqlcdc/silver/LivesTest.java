package io.github.mssqlcdc.silver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.bronze.Position;
import io.github.mssqlcdc.lsn.Lsn;
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

  private static final Reach NO_SNAPSHOT = new Reach(null, null);
  private static final Reach SEEN = reach(9);

  private static Reach reach(int seen) {
    return new Reach(null, position(seen));
  }

  private static Position position(int lsn) {
    return new Position(0, Lsn.parse("0x0" + lsn));
  }

  private static Image image(
      String key, int lsn, @Nullable Integer command, int seqval, int operation) {
    return new Image(key, new Place(0, "0x0" + lsn, command, "0x0" + seqval), operation);
  }

  @Test
  void aRowTakesItsImagesAlongThroughEveryKey() {
    Image inserted = image("a", 1, 1, 1, 2);
    assertThat(Lives.carried(List.of(ARRIVES_C, LEAVES_B, ARRIVES_B, LEAVES_A, inserted), SEEN))
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
    assertThat(Lives.carried(List.of(first, deleted, again, leaves, arrives), SEEN))
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
    assertThat(Lives.carried(List.of(a, b, aLeaves, aToB, bLeaves, bToA), SEEN))
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
                SEEN))
        .isEmpty();
  }

  @Test
  void whatASnapshotReadIsCarriedOnlyThroughMovesThatItCannotHaveSeen() {
    Image read = image("a", 1, null, 0, 0);
    List<Image> images = List.of(read, LEAVES_A, ARRIVES_B);
    assertThat(Lives.carried(images, NO_SNAPSHOT))
        .containsExactly(new Carried(read, ARRIVES_B), new Carried(LEAVES_A, ARRIVES_B));
    assertThat(Lives.carried(images, SEEN)).containsExactly(new Carried(LEAVES_A, ARRIVES_B));
  }

  @Test
  void whatASnapshotReadStaysBehindInLaterMovesToo() {
    Image read = image("a", 1, null, 0, 0);
    assertThat(Lives.carried(List.of(read, LEAVES_A, ARRIVES_B, LEAVES_B, ARRIVES_C), reach(2)))
        .containsExactly(
            new Carried(LEAVES_A, ARRIVES_B),
            new Carried(LEAVES_A, ARRIVES_C),
            new Carried(ARRIVES_B, ARRIVES_C),
            new Carried(LEAVES_B, ARRIVES_C));
  }

  @Test
  void whatIsOlderThanTheNewestSnapshotStaysBehindInMovesAfterIt() {
    Image lost = image("a", 1, 1, 1, 2);
    Image read = image("a", 2, null, 0, 0);
    Image leaves = image("a", 3, 1, 2, 3);
    Image arrives = image("b", 3, 1, 2, 4);
    List<Image> images = List.of(lost, read, leaves, arrives);
    assertThat(Lives.carried(images, new Reach(position(2), position(2))))
        .containsExactly(new Carried(read, arrives), new Carried(leaves, arrives));
    assertThat(Lives.carried(images, new Reach(position(2), position(3))))
        .containsExactly(new Carried(leaves, arrives));
    assertThat(Lives.carried(images, new Reach(position(4), null)))
        .as("all of it is older")
        .hasSize(3);
  }
}
