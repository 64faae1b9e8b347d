"""Clock, ids, settings, logging, retry and the error base. Knows nothing of the domain."""
