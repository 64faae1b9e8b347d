"""HSQLDB (HyperSQL) servers."""
