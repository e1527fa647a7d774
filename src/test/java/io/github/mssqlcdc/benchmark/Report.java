package io.github.mssqlcdc.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Keeps results as {@code target/benchmark/<name>.json}, and shows these as one table. */
final class Report {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path folder;

  Report(Path folder) {
    this.folder = folder;
  }

  void write(Result result) throws IOException {
    Files.createDirectories(folder);
    ObjectNode json = JSON.createObjectNode().put("name", result.name());
    put(json, result.unit(), result.hardest());
    ArrayNode all = json.putArray("comparisons");
    for (Comparison comparison : result.comparisons()) {
      put(all.addObject().put("label", comparison.label()), result.unit(), comparison);
    }
    JSON.writerWithDefaultPrettyPrinter().writeValue(file(result.name()).toFile(), json);
  }

  private Path file(String name) {
    return folder.resolve(name + ".json");
  }

  private static void put(ObjectNode json, String unit, Comparison comparison) {
    json.put("ratio", comparison.medianRatio())
        .put("bar", comparison.bar())
        .put("ours", comparison.ours(Sample::value))
        .put("theirs", comparison.theirs(Sample::value))
        .put("unit", unit);
    ArrayNode runs = json.putArray("runs");
    for (int i = 0; i < comparison.pairs().size(); i++) {
      Comparison.Pair pair = comparison.pairs().get(i);
      ObjectNode run = runs.addObject().put("ratio", comparison.ratios().get(i));
      put(run.putObject("ours"), pair.ours());
      put(run.putObject("theirs"), pair.theirs());
    }
  }

  private static void put(ObjectNode json, Sample sample) {
    json.put("value", sample.value());
    if (!Double.isNaN(sample.wallSeconds())) {
      json.put("wallSeconds", sample.wallSeconds()).put("cpuSeconds", sample.cpuSeconds());
    }
  }

  /** A table in Markdown of the results that are there. */
  void print(List<String> names, PrintStream out) throws IOException {
    out.println(
        "| benchmark | ours | theirs | unit | ratio | bar | wall, cpu in s: ours | theirs |");
    out.println("|---|--:|--:|---|---|--:|---|---|");
    for (String name : names) {
      if (Files.exists(file(name))) {
        for (JsonNode comparison : JSON.readTree(file(name).toFile()).path("comparisons")) {
          out.println(line(name, comparison));
        }
      }
    }
  }

  private static String line(String name, JsonNode comparison) {
    List<Double> ratios = figures(comparison, "/ratio");
    double ratio = comparison.path("ratio").asDouble();
    double bar = comparison.path("bar").asDouble();
    return String.format(
        Locale.ROOT,
        "| %s%s | %s | %s | %s | %.2f [%.2f..%.2f] | %s | %s | %s |",
        name,
        (" " + comparison.path("label").asText()).stripTrailing(),
        figure(comparison.path("ours").asDouble()),
        figure(comparison.path("theirs").asDouble()),
        comparison.path("unit").asText(),
        ratio,
        ratios.stream().min(Double::compare).orElseThrow(),
        ratios.stream().max(Double::compare).orElseThrow(),
        bar == Comparison.NO_BAR ? "" : verdict(ratio, bar),
        times(comparison, "/ours"),
        times(comparison, "/theirs"));
  }

  private static String verdict(double ratio, double bar) {
    return String.format(Locale.ROOT, "%.2f %s", bar, ratio >= bar ? "met" : "**missed**");
  }

  private static String times(JsonNode comparison, String side) {
    List<Double> wall = figures(comparison, side + "/wallSeconds");
    return wall.isEmpty()
        ? ""
        : String.format(
            Locale.ROOT,
            "%.2f, %.2f",
            Comparison.median(wall),
            Comparison.median(figures(comparison, side + "/cpuSeconds")));
  }

  private static List<Double> figures(JsonNode comparison, String pointer) {
    return comparison.path("runs").findParents("ratio").stream()
        .map(run -> run.at(pointer))
        .filter(JsonNode::isNumber)
        .map(JsonNode::asDouble)
        .toList();
  }

  private static String figure(double value) {
    return value >= 10_000
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, value >= 100 ? "%.0f" : "%.2f", value);
  }
}
