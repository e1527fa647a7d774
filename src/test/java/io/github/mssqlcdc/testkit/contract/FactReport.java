package io.github.mssqlcdc.testkit.contract;

import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/** Puts the fact into a test's name and into the message of its failure. */
public final class FactReport extends DisplayNameGenerator.Standard
    implements TestExecutionExceptionHandler {

  @Override
  public String generateDisplayNameForMethod(
      List<Class<?>> enclosing, Class<?> testClass, Method method) {
    Fact fact = method.getAnnotation(Fact.class);
    return fact == null
        ? super.generateDisplayNameForMethod(enclosing, testClass, method)
        : name(fact);
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable thrown)
      throws Throwable {
    Fact fact = context.getRequiredTestMethod().getAnnotation(Fact.class);
    if (fact == null || thrown instanceof TestAbortedException) {
      throw thrown;
    }
    String verdict = thrown instanceof AssertionError ? "Contradicted" : "Could not be asked";
    throw new AssertionError(
        verdict + ": fact " + name(fact) + " (docs/contract.md). " + thrown.getMessage(), thrown);
  }

  private static String name(Fact fact) {
    return fact.id()
        + " ("
        + fact.known().name().toLowerCase(java.util.Locale.ROOT)
        + "): "
        + fact.value();
  }
}
