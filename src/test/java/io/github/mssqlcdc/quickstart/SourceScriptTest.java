package io.github.mssqlcdc.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.quickstart.SourceScript.Event;
import io.github.mssqlcdc.quickstart.SourceScript.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SourceScriptTest {
  private static final Instant AT = Instant.parse("2026-03-01T12:00:00.123Z");

  @TempDir private Path folder;

  @Test
  void givesBackWhatWasAppendedInOrder() {
    Path file = folder.resolve("source").resolve("script.jsonl");
    Event insert = new Event(AT, Kind.SHOP, "INSERT INTO t VALUES\n(1, N'\"ü\"')");
    Event capture = new Event(AT.plusMillis(1), Kind.CAPTURE, "");
    SourceScript script = SourceScript.open(file);
    script.append(insert);
    script.append(capture);

    SourceScript reopened = SourceScript.open(file);

    assertThat(reopened.events()).containsExactly(insert, capture).isEqualTo(script.events());
    assertThat(reopened.count(Kind.CAPTURE)).isEqualTo(1);
    assertThat(reopened.count(Kind.ROUND)).isZero();
  }

  @Test
  void forgetsAllWhenCleared() {
    Path file = folder.resolve("script.jsonl");
    SourceScript script = SourceScript.open(file);
    script.append(new Event(AT, Kind.CAPTURE, ""));

    script.clear();

    assertThat(script.events()).isEmpty();
    assertThat(Files.exists(file)).isFalse();
  }
}
