package io.github.mssqlcdc.testkit.spark;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * Hadoop's local file system without its native library forks {@code chmod}, {@code stat} and
 * {@code readlink} for each file; this one asks Java instead.
 */
public final class NoForkFileSystem extends LocalFileSystem {

  public NoForkFileSystem() {
    super(new Raw());
  }

  /** The same for Hadoop's newer API. */
  public static final class Context extends DelegateToFileSystem {
    public Context(URI uri, Configuration configuration) throws IOException, URISyntaxException {
      super(uri, new NoForkFileSystem(), configuration, "file", false);
    }
  }

  private static final class Raw extends RawLocalFileSystem {

    @Override
    public FSDataOutputStream create(
        Path path, boolean overwrite, int buffer, short replication, long block, Progressable told)
        throws IOException {
      DiskFaults.before(path);
      return super.create(path, overwrite, buffer, replication, block, told);
    }

    @Override
    public FSDataOutputStream create(
        Path path,
        FsPermission permission,
        boolean overwrite,
        int buffer,
        short replication,
        long block,
        Progressable told)
        throws IOException {
      DiskFaults.before(path);
      return super.create(path, permission, overwrite, buffer, replication, block, told);
    }

    @Override
    public FSDataInputStream open(Path path, int buffer) throws IOException {
      DiskMoment.before(path);
      return super.open(path, buffer);
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
      DiskFaults.before(to);
      return super.rename(from, to);
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
      DiskFaults.before(path);
      return super.delete(path, recursive);
    }

    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
      File file = pathToFile(path);
      Files.setPosixFilePermissions(
          file.toPath(), PosixFilePermissions.fromString(text(permission)));
    }

    @Override
    public boolean supportsSymlinks() {
      return false;
    }

    @Override
    public FileStatus getFileLinkStatus(Path path) throws IOException {
      return getFileStatus(path);
    }

    private static String text(FsPermission permission) {
      return permission.getUserAction().SYMBOL
          + permission.getGroupAction().SYMBOL
          + permission.getOtherAction().SYMBOL;
    }
  }
}
