"""BigQuery."""
