package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.plans.PlansTable;
import java.util.function.Supplier;

/**
 * The tables of a backfill. Each supplier opens its table anew, since none of them may be used by
 * two threads.
 *
 * @param plans made if there is none
 * @param facts likewise
 */
public record BackfillTables(
    BronzeTable bronze, Supplier<PlansTable> plans, Supplier<FactsTable> facts) {}
