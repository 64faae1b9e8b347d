"""ZCBUS: data replication and data exchange between real databases."""
