package io.github.mssqlcdc.delta.table;

/**
 * What makes a write happen once: Delta keeps the highest version of each application id.
 *
 * @param appId names the writer and the kind of write
 * @param version counts its writes, upwards
 */
public record TransactionId(String appId, long version) {}
