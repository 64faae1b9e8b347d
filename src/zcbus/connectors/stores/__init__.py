"""Where files lie: on a disk, later behind a network. A store lists and opens files and knows nothing of what is in
them."""

from zcbus.connectors.stores.store import OpenStore, Store, StoredFile

__all__ = ["OpenStore", "Store", "StoredFile"]
