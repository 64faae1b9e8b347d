"""The wire protocol, sessions, quoting and error codes."""
