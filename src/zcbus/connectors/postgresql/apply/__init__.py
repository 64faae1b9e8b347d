"""Writing to PostgreSQL: tables made and altered, batches loaded and applied, appliers' positions kept."""
