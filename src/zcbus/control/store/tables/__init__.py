"""Every table of the metadata store. A feature adds its own file here and imports it below,
so that `metadata` is complete wherever this package is imported."""

from zcbus.control.store.columns import metadata
from zcbus.control.store.tables import (
    alert,
    audit,
    container,
    contrast,
    data_service,
    data_source,
    dictionary,
    identity,
    machine,
    menu,
    parameter,
    policy,
    progress,
    publish,
    stream,
    subscribe,
    sync_link,
)

__all__ = [
    "alert",
    "audit",
    "container",
    "contrast",
    "data_service",
    "data_source",
    "dictionary",
    "identity",
    "machine",
    "menu",
    "metadata",
    "parameter",
    "policy",
    "progress",
    "publish",
    "stream",
    "subscribe",
    "sync_link",
]
