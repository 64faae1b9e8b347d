"""Stream queries: one SELECT over published tables, kept up to date in a target table."""
