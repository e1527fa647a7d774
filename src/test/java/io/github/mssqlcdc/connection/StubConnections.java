package io.github.mssqlcdc.connection;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Opens connections that do nothing, or fails as told; records what is asked of them. */
final class StubConnections implements ConnectionOpener {
  final List<String> calls = new CopyOnWriteArrayList<>();
  final CountDownLatch firstClose = new CountDownLatch(1);
  private final Queue<SQLException> failures = new ConcurrentLinkedQueue<>();

  void failNext(SQLException failure) {
    failures.add(failure);
  }

  long count(String call) {
    return calls.stream().filter(call::equals).count();
  }

  @Override
  public Connection open() throws SQLException {
    calls.add("open");
    SQLException failure = failures.poll();
    if (failure != null) {
      throw failure;
    }
    return (Connection)
        Proxy.newProxyInstance(
            StubConnections.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> answer(method.getName(), method.getReturnType()));
  }

  private @Nullable Object answer(String method, Class<?> type) {
    if (method.equals("toString") || method.equals("hashCode") || method.equals("equals")) {
      return type == String.class ? "stub" : type == int.class ? (Object) 1 : (Object) true;
    }
    calls.add(method);
    if (method.equals("close")) {
      firstClose.countDown();
    }
    if (method.equals("getAutoCommit")) {
      return true;
    }
    if (type == boolean.class) {
      return false;
    }
    return type == int.class ? 2 : null;
  }
}
