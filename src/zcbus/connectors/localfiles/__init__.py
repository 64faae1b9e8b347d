"""CSV, Excel, JSON lines, Parquet and Avro in folders on the agent's host."""
