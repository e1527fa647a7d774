package io.github.mssqlcdc.type;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Utf16Test {
  /** Any code units, surrogates without their other half among them. */
  @Property
  void isTheTextInUtf8WithEachUnpairedSurrogateReplacedAlone(@ForAll char[] units) {
    String text = new String(units);
    StringBuilder whole = new StringBuilder();
    text.codePoints()
        .forEach(
            point ->
                whole.appendCodePoint(
                    point <= Character.MAX_VALUE && Character.isSurrogate((char) point)
                        ? '\uFFFD'
                        : point));

    assertThat(Utf16.toUtf8(bytes(units))).isEqualTo(whole.toString().getBytes(UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "ab", "Ω", "aΩ", "Ωa", "é\u07FF\u0800\uFFFFx", "😀", "a😀b"})
  void keepsWhatIsWellFormed(String text) {
    assertThat(Utf16.toUtf8(text.getBytes(UTF_16LE))).isEqualTo(text.getBytes(UTF_8));
  }

  @ParameterizedTest
  @CsvSource({"'\uD83D', '\uFFFD'", "'\uD83Dx\uDE00y', '\uFFFDx\uFFFDy'"})
  void replacesNothingButTheUnpairedHalf(String text, String read) {
    assertThat(Utf16.toUtf8(bytes(text.toCharArray()))).isEqualTo(read.getBytes(UTF_8));
  }

  /** What lets text of any code page that is ASCII only stand for itself. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Cp437", "Cp850", "MS874", "MS932", "MS936", "MS949", "MS950", "Cp1250", "Cp1251", "Cp1252",
        "Cp1253", "Cp1254", "Cp1255", "Cp1256", "Cp1257", "Cp1258", "UTF-8"
      })
  void asciiIsAsciiInEveryCodePageOfTheServer(String codePage) {
    byte[] ascii = new byte[128];
    for (int i = 0; i < ascii.length; i++) {
      ascii[i] = (byte) i;
    }

    assertThat(new String(ascii, Charset.forName(codePage))).isEqualTo(new String(ascii, US_ASCII));
  }

  private static byte[] bytes(char[] units) {
    byte[] bytes = new byte[units.length * 2];
    for (int i = 0; i < units.length; i++) {
      bytes[2 * i] = (byte) units[i];
      bytes[2 * i + 1] = (byte) (units[i] >> 8);
    }
    return bytes;
  }
}
