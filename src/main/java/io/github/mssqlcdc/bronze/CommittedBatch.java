package io.github.mssqlcdc.bronze;

/** A micro-batch as its commit names it. */
public record CommittedBatch(BatchKey key, BatchRange range) {}
