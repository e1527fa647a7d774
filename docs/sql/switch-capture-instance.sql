-- A new column reaches the stream through a second capture instance of its table.
-- Run as db_owner, step by step: the stream may run all the while. Names here: dbo.orders,
-- old instance dbo_orders, new one dbo_orders_v2, the stream's user cdc_reader.

-- 1. What there is: SQL Server allows two instances of a table.
EXEC sys.sp_cdc_help_change_data_capture @source_schema = N'dbo', @source_name = N'orders';

-- 2. The new column and the new instance, one right after the other: what is written to the column
--    in between is captured by neither (the stream's snapshotOnSwitch fills it). The gating role is that of the old instance (NULL: none).
ALTER TABLE dbo.orders ADD total decimal(12, 2) NULL;
EXEC sys.sp_cdc_enable_table
  @source_schema = N'dbo',
  @source_name = N'orders',
  @capture_instance = N'dbo_orders_v2',
  @role_name = NULL;

-- 3. The right on its change table.
GRANT SELECT ON cdc.dbo_orders_v2_CT TO cdc_reader;

-- 4. Where it begins; NULL or zero until the capture job has run.
SELECT sys.fn_cdc_get_min_lsn(N'dbo_orders_v2') AS first_lsn;

-- 5. When the stream is beyond that (CdcStream.captureInstances says DONE of the old one): drop it.
EXEC sys.sp_cdc_disable_table
  @source_schema = N'dbo',
  @source_name = N'orders',
  @capture_instance = N'dbo_orders';
