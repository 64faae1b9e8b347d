"""Files at addresses of HTTP."""
