package io.github.mssqlcdc.testkit.contract;

import static io.github.mssqlcdc.testkit.contract.Fact.Known.DOCUMENTED;
import static io.github.mssqlcdc.testkit.contract.Fact.Known.INFERRED;
import static io.github.mssqlcdc.testkit.contract.Fact.Known.MEASURED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** What the rows of a change table hold. */
final class ImageFactsContractTest extends FactSuite {
  private static final String KEY = "id int NOT NULL PRIMARY KEY";
  private static final String LARGE =
      KEY
          + ", n int NULL, t nvarchar(max) NULL, b varbinary(max) NULL, x xml NULL, old text NULL,"
          + " oldn ntext NULL, i image NULL";
  private static final String LARGE_VALUES =
      " VALUES (1, 1, N'max', 0x01, N'<a/>', 'text', N'ntext', 0x02)";
  private static final String LARGE_COLUMNS =
      "[__$operation], t, b, CONVERT(nvarchar(max), x), old, oldn, i";
  private static final String ALL = "max|0x01|<a/>|text|ntext|0x02";
  private static final String NONE = "null|null|null|null|null|null";

  @Fact(
      id = "IMG-1",
      value = "an insert holds every large value, a delete those of (max) and xml columns only",
      known = DOCUMENTED)
  void insertAndDelete() {
    track("l1", LARGE);
    commit("INSERT INTO dbo.l1" + LARGE_VALUES, "DELETE FROM dbo.l1");

    assertThat(changes("l1", LARGE_COLUMNS))
        .containsExactly("2|" + ALL, "1|max|0x01|<a/>|null|null|null");
  }

  @Fact(
      id = "IMG-2",
      value = "the before-image has no large value that the update left alone; of xml, inferred",
      known = DOCUMENTED)
  void untouchedBefore() {
    track("l2", LARGE);
    commit("INSERT INTO dbo.l2" + LARGE_VALUES, "UPDATE dbo.l2 SET n = 2");

    assertThat(changes("l2", LARGE_COLUMNS).get(1)).isEqualTo("3|" + NONE);
  }

  @Fact(
      id = "IMG-3",
      value =
          "the after-image holds the values of (max) and xml columns that the update left alone",
      known = INFERRED)
  void untouchedAfter() {
    track("l3", LARGE);
    commit("INSERT INTO dbo.l3" + LARGE_VALUES, "UPDATE dbo.l3 SET n = 2");

    assertThat(changes("l3", "[__$operation], t, b, CONVERT(nvarchar(max), x)").get(2))
        .isEqualTo("4|max|0x01|<a/>");
  }

  @Fact(
      id = "IMG-4",
      value =
          "the after-image holds the values of text, ntext and image columns that the update left"
              + " alone",
      known = INFERRED)
  void untouchedTextAfter() {
    track("l4", LARGE);
    commit("INSERT INTO dbo.l4" + LARGE_VALUES, "UPDATE dbo.l4 SET n = 2");

    assertThat(changes("l4", "[__$operation], old, oldn, i").get(2)).isEqualTo("4|text|ntext|0x02");
  }

  @Fact(
      id = "IMG-5",
      value =
          "the before-image holds a (max) or xml value that the update changed; of xml, inferred",
      known = DOCUMENTED)
  void touchedBefore() {
    track("l5", LARGE);
    commit(
        "INSERT INTO dbo.l5" + LARGE_VALUES, "UPDATE dbo.l5 SET t = N'new', b = 0x0A, x = N'<b/>'");

    assertThat(changes("l5", "[__$operation], t, b, CONVERT(nvarchar(max), x)"))
        .containsExactly("2|max|0x01|<a/>", "3|max|0x01|<a/>", "4|new|0x0A|<b/>");
  }

  @Fact(
      id = "IMG-6",
      value = "text, ntext and image columns that an update set are NULL before and new after",
      known = INFERRED)
  void touchedText() {
    track("l6", LARGE);
    commit(
        "INSERT INTO dbo.l6" + LARGE_VALUES,
        "UPDATE dbo.l6 SET old = 'new', oldn = N'newer', i = 0x0B");

    assertThat(changes("l6", "[__$operation], old, oldn, i"))
        .containsExactly("2|text|ntext|0x02", "3|null|null|null", "4|new|newer|0x0B");
  }

  @Fact(
      id = "IMG-7",
      value = "the insert that an update of the key becomes holds the large values left alone too",
      known = INFERRED)
  void keyUpdateOfLargeValues() {
    track("l7", LARGE);
    commit("INSERT INTO dbo.l7" + LARGE_VALUES, "UPDATE dbo.l7 SET id = 2");

    assertThat(changes("l7", LARGE_COLUMNS).get(2)).isEqualTo("2|" + ALL);
  }

  @Fact(
      id = "IMG-8",
      value =
          "an update of one row's key is a delete, then an insert, of one sequence value and two"
              + " command ids",
      known = MEASURED)
  void keyUpdate() {
    track("k1", KEY + ", n int NULL");
    commit("INSERT INTO dbo.k1 VALUES (1, 1)", "UPDATE dbo.k1 SET id = 2");

    List<String> rows = changes("k1", "[__$operation], id");
    assertThat(rows).containsExactly("2|1", "1|1", "2|2");
    assertThat(
            value(
                "SELECT COUNT(DISTINCT [__$seqval]), COUNT(DISTINCT [__$command_id]) FROM"
                    + " cdc.dbo_k1_CT WHERE [__$start_lsn] = (SELECT MAX([__$start_lsn]) FROM"
                    + " cdc.dbo_k1_CT)"))
        .isEqualTo("1|2");
  }

  @Fact(
      id = "IMG-9",
      value =
          "an update of several rows' keys is all deletes, then all inserts, of different sequence"
              + " values; the order is inferred",
      known = MEASURED)
  void keyUpdateOfSeveralRows() {
    track("k2", KEY + ", n int NULL");
    commit("INSERT INTO dbo.k2 VALUES (1, 1), (2, 2), (3, 3)", "UPDATE dbo.k2 SET id = id + 10");

    assertThat(changes("k2", "[__$operation]"))
        .containsExactly("2", "2", "2", "1", "1", "1", "2", "2", "2");
    assertThat(
            value(
                "SELECT COUNT(DISTINCT [__$seqval]) FROM cdc.dbo_k2_CT WHERE [__$start_lsn] ="
                    + " (SELECT MAX([__$start_lsn]) FROM cdc.dbo_k2_CT)"))
        .isEqualTo("6");
  }

  @Fact(
      id = "IMG-10",
      value = "an update's two images share sequence value and command id; the latter is inferred",
      known = DOCUMENTED)
  void imagesOfAnUpdate() {
    track("u1", KEY + ", n int NULL");
    commit("INSERT INTO dbo.u1 VALUES (1, 1)", "UPDATE dbo.u1 SET n = 2");

    assertThat(
            rows(
                "SELECT COUNT(*) FROM cdc.dbo_u1_CT WHERE [__$operation] IN (3, 4) GROUP BY"
                    + " [__$start_lsn], [__$seqval], [__$command_id]"))
        .containsExactly("2");
  }

  @Fact(
      id = "IMG-11",
      value = "one UPDATE of several rows repeats its command id",
      known = MEASURED)
  void commandIdOfSeveralRows() {
    track("u2", KEY + ", n int NULL");
    commit("INSERT INTO dbo.u2 VALUES (1, 1), (2, 2)", "UPDATE dbo.u2 SET n = 9");

    assertThat(
            value(
                "SELECT COUNT(DISTINCT [__$command_id]), COUNT(*) FROM cdc.dbo_u2_CT WHERE"
                    + " [__$operation] = 4"))
        .isEqualTo("1|2");
  }

  @Fact(
      id = "IMG-12",
      value = "an update that changes no captured column leaves no rows",
      known = INFERRED)
  void unchanged() {
    track("u3", KEY + ", n int NULL");
    commit("INSERT INTO dbo.u3 VALUES (1, 1)", "UPDATE dbo.u3 SET n = 1");

    assertThat(changes("u3", "[__$operation]")).containsExactly("2");
  }

  @Fact(
      id = "IMG-13",
      value = "masks are never NULL: all columns for 1 and 2, those changed for 3 and 4",
      known = INFERRED)
  void masks() {
    track("m1", KEY + ", a int NULL, b int NULL");
    commit(
        "INSERT INTO dbo.m1 VALUES (1, 1, 1)",
        "UPDATE dbo.m1 SET b = 2",
        "UPDATE dbo.m1 SET a = 2",
        "DELETE FROM dbo.m1");

    assertThat(changes("m1", "[__$operation], [__$update_mask]"))
        .containsExactly("2|0x07", "3|0x04", "4|0x04", "3|0x02", "4|0x02", "1|0x07");
  }

  @Fact(
      id = "IMG-14",
      value = "a mask's bytes count from the last: column 9 is the lowest bit of the last but one",
      known = MEASURED)
  void bytesOfMasks() {
    track(
        "m2",
        KEY
            + ", c2 int NULL, c3 int NULL, c4 int NULL, c5 int NULL, c6 int NULL, c7 int NULL, c8"
            + " int NULL, c9 int NULL, c10 int NULL");
    commit(
        "INSERT INTO dbo.m2 (id) VALUES (1)",
        "UPDATE dbo.m2 SET c9 = 1",
        "UPDATE dbo.m2 SET c2 = 1, c10 = 1");

    assertThat(changes("m2", "[__$operation], [__$update_mask]"))
        .containsExactly("2|0x03FF", "3|0x0100", "4|0x0100", "3|0x0202", "4|0x0202");
  }

  @Fact(
      id = "IMG-15",
      value = "a computed column is NULL, and never in an update's mask; the mask is inferred",
      known = DOCUMENTED)
  void computed() {
    track("c1", KEY + ", n int NULL, twice AS (n * 2)");
    commit("INSERT INTO dbo.c1 (id, n) VALUES (1, 1)", "UPDATE dbo.c1 SET n = 2");

    assertThat(changes("c1", "[__$operation], twice"))
        .containsExactly("2|null", "3|null", "4|null");
    assertThat(changes("c1", "[__$update_mask]").subList(1, 3)).containsExactly("0x02", "0x02");
  }

  @Fact(
      id = "IMG-16",
      value = "captured columns stand in the table's order, whatever the list's",
      known = INFERRED)
  void columnOrder() {
    database.run("CREATE TABLE dbo.o1 (" + KEY + ", a int NULL, b int NULL)");
    enable("o1", "dbo_o1", ", @captured_column_list = N'b, a, id'");

    assertThat(
            rows(
                "SELECT column_name, column_ordinal FROM cdc.captured_columns WHERE object_id ="
                    + " OBJECT_ID(N'cdc.dbo_o1_CT') ORDER BY column_ordinal"))
        .containsExactly("id|1", "a|2", "b|3");
  }

  @Fact(
      id = "IMG-17",
      value =
          "a dropped column is NULL in later rows, an added one is ignored, also one of the dropped"
              + " one's name; the last is inferred",
      known = DOCUMENTED)
  void changedTable() {
    track("d1", KEY + ", n int NULL");
    commit(
        "INSERT INTO dbo.d1 VALUES (1, 1)",
        "ALTER TABLE dbo.d1 ADD more int NULL",
        "INSERT INTO dbo.d1 VALUES (2, 2, 2)",
        "ALTER TABLE dbo.d1 DROP COLUMN n",
        "INSERT INTO dbo.d1 VALUES (3, 3)",
        "ALTER TABLE dbo.d1 ADD n int NULL",
        "INSERT INTO dbo.d1 VALUES (4, 4, 4)");

    assertThat(changes("d1", "id, n")).containsExactly("1|1", "2|2", "3|null", "4|null");
  }

  @Fact(id = "IMG-18", value = "rowversion is captured as binary(8)", known = DOCUMENTED)
  void rowversion() {
    track("r1", KEY + ", v rowversion");
    commit("INSERT INTO dbo.r1 (id) VALUES (1)");

    assertThat(changes("r1", "v")).isEqualTo(rows("SELECT v FROM dbo.r1"));
    assertThat(
            value(
                "SELECT t.name, c.max_length FROM sys.columns AS c JOIN sys.types AS t ON"
                    + " t.user_type_id = c.user_type_id WHERE c.object_id ="
                    + " OBJECT_ID(N'cdc.dbo_r1_CT') AND c.name = N'v'"))
        .isEqualTo("binary|8");
  }

  @Fact(
      id = "IMG-19",
      value = "a varchar column of another code page than the database's is captured right",
      known = INFERRED)
  void otherCodePage() {
    track("p1", KEY + ", g varchar(20) COLLATE Greek_CI_AS NULL");
    commit("INSERT INTO dbo.p1 VALUES (1, N'αβγ')");

    assertThat(changes("p1", "g")).containsExactly("αβγ");
  }
}
