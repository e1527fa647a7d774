package io.github.mssqlcdc.testkit.container;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;

/** Skips every test class that would need a container where there is no Docker. */
public final class DockerNeeded implements ExecutionCondition {
  static final String IMAGE = "sqlserver.image";

  private static final Logger LOG = LoggerFactory.getLogger(DockerNeeded.class);

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (!System.getProperty("sqlserver.url", "").isBlank()) {
      return ConditionEvaluationResult.enabled("The server is named by its URL");
    }
    return Holder.AVAILABLE
        ? ConditionEvaluationResult.enabled("Docker is there")
        : ConditionEvaluationResult.disabled(Holder.MISSING);
  }

  private static final class Holder {
    static final String MISSING =
        "No Docker here for "
            + System.getProperty(IMAGE)
            + ": start it, or name a server with -Dsqlserver.url";
    static final boolean AVAILABLE = DockerClientFactory.instance().isDockerAvailable();

    static {
      if (!AVAILABLE) {
        LOG.warn("Contract tests are skipped. {}", MISSING);
      }
    }
  }
}
