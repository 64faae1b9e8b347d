"""CSV, TSV, JSON lines and Parquet in folders of SFTP servers."""
