package io.github.mssqlcdc.sink;

/** Through the insides of Delta and through Delta Kernel. */
final class ExactlyOnceTest extends ExactlyOnceSuite {}
