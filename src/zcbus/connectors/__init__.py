"""One folder per kind of data source; the engine sees them through roles only."""
