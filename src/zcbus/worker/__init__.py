"""One process per running service: reads its task, runs one engine service, reports."""
