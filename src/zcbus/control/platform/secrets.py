"""Secrets at rest: AES-256-GCM, with the key's id in the text so that keys can be replaced one day."""

import base64
import os
import secrets
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from zcbus.kit.errors import TerminalError

_NONCE_BYTES = 12
_FORMAT = "v1"


class SecretUnreadableError(TerminalError):
    """A stored secret does not belong to any key we hold, or was altered. Facts: keyId."""

    code = "secret-unreadable"


class SecretBox:
    """Seals and opens text. The newest key seals; every key of the file opens."""

    def __init__(self, keys: dict[str, bytes]) -> None:
        self._ciphers = {key_id: AESGCM(key) for key_id, key in keys.items()}
        self._sealing_key_id = list(keys)[-1]
        self._sealing_key = keys[self._sealing_key_id]
        self._oldest_key = next(iter(keys.values()))
        self._lasting: dict[str, bytes] = {}

    @property
    def sealing_key_id(self) -> str:
        """The id of the newest key."""
        return self._sealing_key_id

    def derive(self, purpose: str) -> bytes:
        """32 bytes derived from the newest key and the purpose, which reveal nothing of the key."""
        return HKDF(SHA256(), 32, salt=None, info=purpose.encode()).derive(self._sealing_key)

    def derive_lasting(self, purpose: str) -> bytes:
        """As `derive`, from the oldest key: stays the same when keys are added."""
        derived = self._lasting.get(purpose)
        if derived is None:
            derived = HKDF(SHA256(), 32, salt=None, info=purpose.encode()).derive(self._oldest_key)
            self._lasting[purpose] = derived
        return derived

    def seal(self, secret: str, context: str) -> str:
        """Encrypt. `context` names where the secret belongs (`datasource:<id>:password`); the same one opens it,
        so that a sealed text copied to another record does not open there."""
        nonce = os.urandom(_NONCE_BYTES)
        key_id = self._sealing_key_id
        sealed = self._ciphers[key_id].encrypt(nonce, secret.encode(), _bound(key_id, context))
        return f"{_FORMAT}:{key_id}:{base64.urlsafe_b64encode(nonce + sealed).decode()}"

    def open(self, sealed: str, context: str) -> str:
        """Decrypt what `seal` made with the same context. Raises SecretUnreadableError."""
        _format, key_id, encoded = sealed.split(":", 2)
        if key_id not in self._ciphers:
            raise SecretUnreadableError(keyId=key_id)
        content = base64.urlsafe_b64decode(encoded)
        try:
            opened = self._ciphers[key_id].decrypt(
                content[:_NONCE_BYTES], content[_NONCE_BYTES:], _bound(key_id, context)
            )
        except InvalidTag:
            raise SecretUnreadableError(keyId=key_id) from None
        return opened.decode()

    def needs_resealing(self, sealed: str) -> bool:
        """Whether an older key sealed this text."""
        return sealed.split(":", 2)[1] != self._sealing_key_id


def load_secret_box(path: Path) -> SecretBox:
    """Read the key file (one `id base64-key` a line, the newest last), making it with one key when it is absent."""
    if not path.exists():
        write_private_file(path, f"{secrets.token_hex(4)} {base64.b64encode(os.urandom(32)).decode()}\n")
    pairs = [line.split() for line in path.read_text("ascii").splitlines() if line.strip()]
    return SecretBox({key_id: base64.b64decode(key) for key_id, key in pairs})


def write_private_file(path: Path, content: str) -> None:
    """Create a file that only its owner can read. Raises FileExistsError: nothing is ever overwritten."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _bound(key_id: str, context: str) -> bytes:
    return f"{_FORMAT}:{key_id}:{context}".encode()
