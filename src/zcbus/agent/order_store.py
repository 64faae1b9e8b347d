"""The last orders on disk, so that an agent goes on without its control plane, also over its own restart.

What changes of thousands of orders is appended; all of them are written anew once the changes take as much room.
Orders hold passwords: the files are encrypted with a key that only this host's user can read (AES-256-GCM).
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
_LEAST_ROOM = 1 << 16
"""Bytes of changes that are kept in any case."""


class OrderStore:
    """Files with the orders, with what changed of them since, and with their key, readable by the owner only."""

    def __init__(self, folder: Path) -> None:
        self._key_path = folder / "orders.key"
        self._path = folder / "orders"
        self._changes_path = folder / "orders.changes"
        self._edition = ""
        """What is stored; empty: it cannot be completed."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def save(self, orders: Orders, told: Orders | None = None) -> None:
        """Store orders, of which `told` came last: all of them, or what changed. Safe against a stop in the middle."""
        if told is not None and told.since and told.since == self._edition and self._has_room():
            sealed = self._sealed(told)
            append_durably(self._changes_path, len(sealed).to_bytes(_LENGTH) + sealed, mode=0o600)
        else:
            write_durably(self._path, self._sealed(orders), mode=0o600)
            # Those that are left by a stop here complete other orders, and are passed over.
            self._changes_path.unlink(missing_ok=True)
        self._edition = orders.edition

    def load(self) -> Orders | None:
        """What was stored last; None where there is nothing readable."""
        if not self._path.exists():
            return None
        orders = self._opened(self._path.read_bytes())
        if orders is None:
            _log.warning("orders-unreadable", path=str(self._path))
            return None
        for told in self._changes():
            newer = completed(orders, told) if told is not None else None
            if newer is None:
                return orders
            orders = newer
        self._edition = orders.edition
        return orders

    def _has_room(self) -> bool:
        taken = self._changes_path.stat().st_size if self._changes_path.exists() else 0
        return taken < max(self._path.stat().st_size, _LEAST_ROOM)

    def _changes(self) -> Iterator[Orders | None]:
        """What changed since all orders were written, in order; None: no more can be read."""
        data = self._changes_path.read_bytes() if self._changes_path.exists() else b""
        while data:
            end = _LENGTH + int.from_bytes(data[:_LENGTH])
            yield self._opened(data[_LENGTH:end])
            data = data[end:]

    def _sealed(self, orders: Orders) -> bytes:
        nonce = os.urandom(_NONCE)
        return nonce + AESGCM(self._key()).encrypt(nonce, orders.model_dump_json().encode(), b"orders")

    def _opened(self, data: bytes) -> Orders | None:
        try:
            text = AESGCM(self._key()).decrypt(data[:_NONCE], data[_NONCE:], b"orders")
        except (InvalidTag, ValueError):
            return None
        return Orders.model_validate_json(text)

    def _key(self) -> bytes:
        if not self._key_path.exists():
            write_durably(self._key_path, AESGCM.generate_key(256), mode=0o600)
        return self._key_path.read_bytes()
