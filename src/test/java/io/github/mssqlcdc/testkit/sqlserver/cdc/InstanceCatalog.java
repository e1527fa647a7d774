package io.github.mssqlcdc.testkit.sqlserver.cdc;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiPredicate;

/** The capture instances of a database, oldest first. Thread-safe. */
final class InstanceCatalog {
  private final BiPredicate<String, String> sameName;
  private final List<CaptureInstance> instances = new CopyOnWriteArrayList<>();

  InstanceCatalog(BiPredicate<String, String> sameName) {
    this.sameName = sameName;
  }

  List<CaptureInstance> all() {
    return List.copyOf(instances);
  }

  List<CaptureInstance> ofTable(int tableId) {
    return instances.stream().filter(instance -> instance.sourceTableId() == tableId).toList();
  }

  Optional<CaptureInstance> find(String name) {
    return instances.stream().filter(i -> sameName.test(i.name(), name)).findFirst();
  }

  void add(CaptureInstance instance) {
    instances.add(instance);
  }

  void replace(CaptureInstance instance, CaptureInstance by) {
    instances.replaceAll(each -> each.equals(instance) ? by : each);
  }

  void remove(CaptureInstance instance) {
    instances.removeIf(each -> each.changeTableId() == instance.changeTableId());
  }
}
