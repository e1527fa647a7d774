package io.github.mssqlcdc.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.io.FileUtils;

/** Folders of a run, deleted when they have served: tables of a million rows add up. */
final class Scratch implements AutoCloseable {
  private final Path folder;

  Scratch() throws IOException {
    Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
    this.folder = Files.createTempDirectory(target, "benchmark");
  }

  String path(String name) {
    return folder.resolve(name).toString();
  }

  @Override
  public void close() throws IOException {
    FileUtils.deleteDirectory(folder.toFile());
  }
}
