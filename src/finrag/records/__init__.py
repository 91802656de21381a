"""Files read into records: JSON, CSV, Parquet, gzip; identities and what is wrong with one."""
