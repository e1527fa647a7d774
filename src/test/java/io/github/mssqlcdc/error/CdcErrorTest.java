package io.github.mssqlcdc.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CdcErrorTest {
  private static final Throwable CAUSE = new IllegalStateException();

  @ParameterizedTest
  @MethodSource
  void eachKindCarriesItsCodeMessageAndCause(
      ErrorCode code, BiFunction<String, Throwable, Exception> create) {
    assertThat(create.apply("Cannot go on", CAUSE))
        .hasMessage("Cannot go on")
        .hasCause(CAUSE)
        .isInstanceOfSatisfying(CdcError.class, error -> assertThat(error.code()).isEqualTo(code));
  }

  static Stream<Arguments> eachKindCarriesItsCodeMessageAndCause() {
    return Stream.of(
        kind(ErrorCode.DATA_LOSS, DataLossException::new),
        kind(ErrorCode.HISTORY_CHANGED, HistoryChangedException::new),
        kind(ErrorCode.SCHEMA_CHANGED, SchemaChangedException::new),
        kind(ErrorCode.MISSING_GRANT, MissingGrantException::new),
        kind(ErrorCode.SOURCE_BEHIND, SourceBehindException::new),
        kind(
            ErrorCode.CDC_DISABLED,
            (message, cause) -> new CdcException(ErrorCode.CDC_DISABLED, message, cause)),
        kind(
            ErrorCode.INVALID_OPTION,
            (message, cause) ->
                new InvalidRequestException(ErrorCode.INVALID_OPTION, message, cause)));
  }

  private static Arguments kind(ErrorCode code, BiFunction<String, Throwable, Exception> create) {
    return Arguments.of(code, create);
  }
}
