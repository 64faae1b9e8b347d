"""MySQL and MariaDB as source and target."""
