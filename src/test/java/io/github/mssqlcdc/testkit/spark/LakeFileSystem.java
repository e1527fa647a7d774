package io.github.mssqlcdc.testkit.spark;

import java.io.File;
import java.net.URI;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** A file system of another scheme than {@code file}, as a lake has; its files are local ones. */
public final class LakeFileSystem extends RawLocalFileSystem {
  public static final String SCHEME = "testlake";

  @Override
  public URI getUri() {
    return URI.create(SCHEME + ":///");
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public File pathToFile(Path path) {
    checkPath(path);
    return new File(path.toUri().getPath());
  }
}
