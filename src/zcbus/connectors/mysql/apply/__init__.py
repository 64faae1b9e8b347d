"""Writing to MySQL and MariaDB: tables made and altered, batches loaded and applied, appliers' positions kept."""
