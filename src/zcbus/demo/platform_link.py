"""The demo's link, created by the platform's ordinary API."""

from typing import Any, Protocol

LINK = "demo-shop"
SOURCE_DATABASE, TARGET_DATABASE = "shop", "shop_copy"


class Api(Protocol):
    """The API calls that the demo uses."""

    def call(self, path: str, body: dict[str, Any] | None = None) -> Any: ...


def link_document(port: int, user: str, password: str) -> dict[str, Any]:
    """The link file of the demo."""
    server = {"kind": "postgresql", "host": "127.0.0.1", "port": port, "user": user, "password": password}
    return {
        "link": LINK,
        "source": {**server, "database": SOURCE_DATABASE},
        "target": {**server, "database": TARGET_DATABASE},
        "tables": ["public.*"],
        "load": "full+incremental",
        "clean": "drop",
        "ddl": "follow",
    }
