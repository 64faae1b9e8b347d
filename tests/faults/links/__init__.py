"""Links under a running writer while processes and servers are killed."""
