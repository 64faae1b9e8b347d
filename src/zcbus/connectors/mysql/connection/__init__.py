"""Sessions, quoting, privileges and error codes."""
