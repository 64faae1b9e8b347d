"""Stores of files: disks and network folders. A store knows nothing of their formats."""

from zcbus.connectors.stores.store import OpenStore, OpenWritableStore, Store, StoredFile, WritableStore

__all__ = ["OpenStore", "OpenWritableStore", "Store", "StoredFile", "WritableStore"]
