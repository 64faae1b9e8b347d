"""The last orders on disk, so that an agent goes on without its control plane, also over its own restart.

Orders hold passwords: the file is encrypted with a key that only this host's user can read (AES-256-GCM).
"""

import os
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from zcbus.kit.files import write_durably
from zcbus.kit.logging import get_logger
from zcbus.protocol.agent import Orders

_log = get_logger("agent")
_NONCE = 12


class OrderStore:
    """One file with the orders and one with its key, both readable by the owner only."""

    def __init__(self, folder: Path) -> None:
        self._key_path = folder / "orders.key"
        self._path = folder / "orders"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def save(self, orders: Orders) -> None:
        """Replace what is stored; safe against a stop in the middle."""
        nonce = os.urandom(_NONCE)
        sealed = AESGCM(self._key()).encrypt(nonce, orders.model_dump_json().encode(), b"orders")
        write_durably(self._path, nonce + sealed, mode=0o600)

    def load(self) -> Orders | None:
        """What was stored last; None where there is nothing readable."""
        if not self._path.exists():
            return None
        data = self._path.read_bytes()
        try:
            text = AESGCM(self._key()).decrypt(data[:_NONCE], data[_NONCE:], b"orders")
        except InvalidTag:
            _log.warning("orders-unreadable", path=str(self._path))
            return None
        return Orders.model_validate_json(text)

    def _key(self) -> bytes:
        if not self._key_path.exists():
            write_durably(self._key_path, AESGCM.generate_key(256), mode=0o600)
        return self._key_path.read_bytes()
