package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.metric.RangeMeasure;
import java.io.Serializable;

/** What reading one range of one batch told. */
record RangeReport(RangePartition range, RangeMeasure measure) implements Serializable {}
