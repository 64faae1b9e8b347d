"""The last orders on disk: an agent continues without its control plane, also restarted.

Changes of orders are appended. The complete orders are rewritten once the changes take as much space. Orders contain
passwords: the files are encrypted with a key that only this host's user can read (AES-256-GCM).
"""

import os
from collections.abc import Iterator
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from zcbus.kit.files import append_durably, write_durably
from zcbus.kit.logging import get_logger
from zcbus.protocol.agent import Orders
from zcbus.protocol.changes import completed

_log = get_logger("agent")
_NONCE = 12
_LENGTH = 4
_MIN_CHANGES_BYTES = 1 << 16
"""So many bytes of changes may always be appended."""


class OrderStore:
    """Files with orders, their later changes and their key, readable by the owner only."""

    def __init__(self, folder: Path) -> None:
        self._key_path = folder / "orders.key"
        self._path = folder / "orders"
        self._changes_path = folder / "orders.changes"
        self._edition = ""
        """Edition of the stored orders; empty: changes cannot be appended to them."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def save(self, orders: Orders, received: Orders | None = None) -> None:
        """Store orders durably. `received`: the last message, complete or only the changes."""
        if received is not None and received.since and received.since == self._edition and self._may_append():
            sealed = self._encrypted(received)
            append_durably(self._changes_path, len(sealed).to_bytes(_LENGTH) + sealed, mode=0o600)
        else:
            write_durably(self._path, self._encrypted(orders), mode=0o600)
            # After a crash here the old changes remain; they belong to another edition and are ignored.
            self._changes_path.unlink(missing_ok=True)
        self._edition = orders.edition

    def load(self) -> Orders | None:
        """The stored orders; None if there are none that can be read."""
        if not self._path.exists():
            return None
        orders = self._decrypted(self._path.read_bytes())
        if orders is None:
            _log.warning("orders-unreadable", path=str(self._path))
            return None
        for changes in self._changes():
            newer = completed(orders, changes) if changes is not None else None
            if newer is None:
                return orders
            orders = newer
        self._edition = orders.edition
        return orders

    def _may_append(self) -> bool:
        taken = self._changes_path.stat().st_size if self._changes_path.exists() else 0
        return taken < max(self._path.stat().st_size, _MIN_CHANGES_BYTES)

    def _changes(self) -> Iterator[Orders | None]:
        """Changes since the complete orders, in order; None: the rest cannot be read."""
        data = self._changes_path.read_bytes() if self._changes_path.exists() else b""
        while data:
            end = _LENGTH + int.from_bytes(data[:_LENGTH])
            yield self._decrypted(data[_LENGTH:end])
            data = data[end:]

    def _encrypted(self, orders: Orders) -> bytes:
        nonce = os.urandom(_NONCE)
        return nonce + AESGCM(self._key()).encrypt(nonce, orders.model_dump_json().encode(), b"orders")

    def _decrypted(self, data: bytes) -> Orders | None:
        try:
            text = AESGCM(self._key()).decrypt(data[:_NONCE], data[_NONCE:], b"orders")
        except (InvalidTag, ValueError):
            return None
        return Orders.model_validate_json(text)

    def _key(self) -> bytes:
        if not self._key_path.exists():
            write_durably(self._key_path, AESGCM.generate_key(256), mode=0o600)
        return self._key_path.read_bytes()
