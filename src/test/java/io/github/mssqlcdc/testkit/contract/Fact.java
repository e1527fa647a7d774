package io.github.mssqlcdc.testkit.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;

/**
 * A test that asks a server for a fact that the stand-in or the library rests on. {@code
 * docs/contract.md} lists all of them; a server that says otherwise fails the test with the fact's
 * name.
 */
@Test
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Fact {

  /** Short and stable, as {@code LSN-1}. */
  String id();

  /** What is taken for true: one sentence. */
  String value();

  Known known();

  /** How it is known without the test. */
  enum Known {
    DOCUMENTED,
    MEASURED,
    INFERRED
  }
}
