"""Secrets at rest: AES-256-GCM, with the key's id in the text so that keys can be replaced.

A key that was added opens before it seals: which one seals is a fact of the store (`control.key_check`), the same for
all control planes over it, so none meets a text whose key it lacks.
"""

import base64
import os
import threading
import time
from collections.abc import Callable, Mapping
from enum import StrEnum

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from zcbus.control.platform.key_file import KeyRing, KeySource
from zcbus.kit.errors import TerminalError

_NONCE_BYTES = 12
_FORMAT = "v1"
CURRENT_SECONDS = 60.0
"""How long a process may seal without having read which key does."""


class SecretUnreadableError(TerminalError):
    """A stored secret does not belong to any key we hold, or was altered. Facts: keyId."""

    code = "secret-unreadable"


class Lasting(StrEnum):
    """Purposes whose derived keys outlast the key that they came from."""

    AUDIT_CHAIN = "audit-chain"
    MASK = "mask"
    UNKNOWN_NAMES = "unknown-names"


class SecretBox:
    """Seals and opens text. One key seals, every key opens. Safe for many threads."""

    def __init__(self, keys: Mapping[str, bytes], source: KeySource | None = None) -> None:
        self._source = source
        self._lock = threading.Lock()
        self._use(KeyRing(keys) if source is None else source.read())
        self._sealing_key_id = self._ring.newest
        self._read_sealing: Callable[[], str] | None = None
        self._read_at = 0.0

    @property
    def source(self) -> KeySource | None:
        """Where the keys are from; None: only this process has them."""
        return self._source

    @property
    def ring(self) -> KeyRing:
        """The keys that this process holds now."""
        return self._ring

    @property
    def sealing_key_id(self) -> str:
        """The id of the key that seals."""
        return self._sealing_key_id

    def keep_current(self, read_sealing: Callable[[], str]) -> None:
        """From now on ask `read_sealing` which key seals, at each `refresh`, and before a seal if the last one is a
        minute ago."""
        self._read_sealing = read_sealing
        self.refresh()

    def refresh(self) -> None:
        """Read the keys where they changed, and seal with the key that is due. Raises SecretUnreadableError where that
        one is not held: nothing is sealed with another."""
        began = time.monotonic()
        self._reread()
        if self._read_sealing is not None:
            self.seal_with(self._read_sealing())
        self._read_at = began

    def seal_with(self, key_id: str) -> None:
        """Seal with this key. Raises SecretUnreadableError where it is not held."""
        if not self.holds(key_id):
            raise SecretUnreadableError(keyId=key_id)
        self._sealing_key_id = key_id

    def holds(self, key_id: str) -> bool:
        """Whether the key is here, or came since the last look."""
        if key_id not in self._ring.keys:
            self._reread()
        return key_id in self._ring.keys

    def derive(self, purpose: str, key_id: str) -> bytes:
        """32 bytes derived from a key and the purpose, which reveal nothing of the key."""
        return _derived(self._ring.keys[key_id], purpose)

    def derive_lasting(self, purpose: Lasting) -> bytes:
        """As `derive`; stays the same when keys are added and retired."""
        return self._lasting[purpose]

    def left_by(self, key_id: str) -> Mapping[str, bytes]:
        """What must be kept of a key that is retired."""
        is_oldest = key_id == next(iter(self._ring.keys))
        return {str(purpose): key for purpose, key in self._lasting.items()} if is_oldest else {}

    def seal(self, secret: str, context: str) -> str:
        """Encrypt. `context` names where the secret belongs (`store.sealed.place`); the same one opens it, so that a
        sealed text copied to another record does not open there."""
        if self._read_sealing is not None and time.monotonic() - self._read_at > CURRENT_SECONDS:
            self.refresh()
        return self.seal_by(self._sealing_key_id, secret, context)

    def seal_by(self, key_id: str, secret: str, context: str) -> str:
        """As `seal`, with one of the held keys."""
        nonce = os.urandom(_NONCE_BYTES)
        sealed = self._ciphers[key_id].encrypt(nonce, secret.encode(), _bound(key_id, context))
        return f"{_FORMAT}:{key_id}:{base64.urlsafe_b64encode(nonce + sealed).decode()}"

    def open(self, sealed: str, context: str) -> str:
        """Decrypt what `seal` made with the same context. Raises SecretUnreadableError."""
        _format, key_id, encoded = sealed.split(":", 2)
        if not self.holds(key_id):
            raise SecretUnreadableError(keyId=key_id)
        content = base64.urlsafe_b64decode(encoded)
        try:
            opened = self._ciphers[key_id].decrypt(
                content[:_NONCE_BYTES], content[_NONCE_BYTES:], _bound(key_id, context)
            )
        except (InvalidTag, KeyError):
            raise SecretUnreadableError(keyId=key_id) from None
        return opened.decode()

    def needs_resealing(self, sealed: str) -> bool:
        """Whether another key than the present one sealed this text."""
        return key_of(sealed) != self._sealing_key_id

    def use(self, ring: KeyRing) -> None:
        """Hold these keys from now on."""
        with self._lock:
            self._use(ring)

    def _reread(self) -> None:
        with self._lock:
            if self._source is not None and self._source.changed():
                self._use(self._source.read())

    def _use(self, ring: KeyRing) -> None:
        oldest = next(iter(ring.keys.values()))
        self._lasting = {one: ring.lasting.get(one) or _derived(oldest, one) for one in Lasting}
        self._ciphers = {key_id: AESGCM(key) for key_id, key in ring.keys.items()}
        self._ring = ring


def key_of(sealed: str) -> str:
    """The id of the key that sealed a text."""
    return sealed.split(":", 2)[1]


def _derived(key: bytes, purpose: str) -> bytes:
    return HKDF(SHA256(), 32, salt=None, info=purpose.encode()).derive(key)


def _bound(key_id: str, context: str) -> bytes:
    return f"{_FORMAT}:{key_id}:{context}".encode()
