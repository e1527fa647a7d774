package io.github.mssqlcdc.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a user copies out of the guides compiles. */
final class GuideCodeTest {
  private static final Pattern CODE = Pattern.compile("(?s)```java\\n(.*?)```");
  private static final Pattern CLASS = Pattern.compile("(?m)^public class (\\w+)");

  /** What the guides speak of without making it. */
  private static final String AROUND =
      """
      import io.github.mssqlcdc.metric.*;
      import io.github.mssqlcdc.offset.*;
      import io.github.mssqlcdc.options.*;
      import io.github.mssqlcdc.pipeline.*;
      import java.time.*;
      import java.util.*;
      import org.apache.spark.sql.*;
      import org.apache.spark.sql.streaming.*;
      abstract class %s {
        SparkSession spark;
        Map<String, String> options;
        CdcStream orders;
        StartedStreams streams;
        Offset at;
        abstract void alert(String table, Throwable failure);
        void code() throws Exception {
          %s
        }
      }
      """;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void everyPieceOfJavaCompiles() throws IOException {
    List<JavaFileObject> sources = new ArrayList<>();
    for (Path page : pages()) {
      Matcher code = CODE.matcher(Files.readString(page));
      while (code.find()) {
        String guide = page.getFileName().toString().replaceAll("\\W", "_");
        sources.add(source(guide + sources.size(), code.group(1)));
      }
    }
    StringWriter messages = new StringWriter();
    boolean compiles =
        ToolProvider.getSystemJavaCompiler()
            .getTask(
                messages,
                null,
                null,
                List.of(
                    "-proc:none",
                    "-nowarn",
                    "-d",
                    folder.toString(),
                    "-classpath",
                    System.getProperty("java.class.path")),
                null,
                sources)
            .call();

    assertThat(sources).hasSizeGreaterThan(15);
    assertThat(compiles).as(messages.toString()).isTrue();
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> guides = Files.list(Path.of("docs/guides"))) {
      return Stream.concat(Stream.of(Path.of("README.md")), guides.sorted()).toList();
    }
  }

  private static JavaFileObject source(String name, String code) {
    Matcher type = CLASS.matcher(code);
    return type.find()
        ? new Source(type.group(1), code)
        : new Source(name, AROUND.formatted(name, statement(code.strip().replace("…", ""))));
  }

  /** A piece may be the end of a statement, or an expression. */
  private static String statement(String code) {
    if (code.startsWith(".")) {
      return "var whole = CdcStream.startMany(spark, options, \"bronze.{ci}\")" + code + ";";
    }
    String bare = code.replaceAll("(?m) +//.*$", "").strip();
    return bare.matches("(?s).*[;}]") ? code : "var value = " + code + ";";
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String code;

    Source(String name, String code) {
      super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
      this.code = code;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return code;
    }
  }
}
