"""Stores of files: disks and network folders. A store lists, opens and writes files, and is independent of their formats."""

from zcbus.connectors.stores.store import OpenStore, OpenWritableStore, Store, StoredFile, WritableStore

__all__ = ["OpenStore", "OpenWritableStore", "Store", "StoredFile", "WritableStore"]
