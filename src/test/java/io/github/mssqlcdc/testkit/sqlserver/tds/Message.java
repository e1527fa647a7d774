package io.github.mssqlcdc.testkit.sqlserver.tds;

/**
 * A client's message, put together from its packets.
 *
 * @param ignored the client broke it off with the ignore bit: it is not to be run
 * @param reset the session is to be as after a fresh login first
 */
record Message(int type, boolean ignored, boolean reset, byte[] payload) {}
