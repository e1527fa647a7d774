-- What has changed the columns of a table since its capture instance was enabled, as CDC keeps it.
-- Needs SELECT on the captured columns and the gating role, where there is one.
EXEC sys.sp_cdc_get_ddl_history @capture_instance = N'dbo_orders';

-- What is captured, by ordinal, with the types recorded.
EXEC sys.sp_cdc_get_captured_columns @capture_instance = N'dbo_orders';
