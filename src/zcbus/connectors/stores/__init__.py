"""Stores of files: disks and network folders. A store lists and opens files, and is independent of their formats."""

from zcbus.connectors.stores.store import OpenStore, Store, StoredFile

__all__ = ["OpenStore", "Store", "StoredFile"]
