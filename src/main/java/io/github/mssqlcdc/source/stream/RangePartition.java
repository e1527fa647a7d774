package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.offset.Offset;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * One range of one batch.
 *
 * @param start the batch's start
 * @param end the batch's end
 * @param index the range's place among the batch's, from 0
 */
record RangePartition(Offset start, Offset end, int index, ChangeRange range)
    implements InputPartition {}
