package io.github.mssqlcdc.testkit.contract;

/** A login of the server and its password. */
public record TestLogin(String name, String password) {}
