"""The installation's master keys: their form as text, and the file they are kept in.

One entry a line: `ID KEY` is a key, the oldest first; `lasting:PURPOSE KEY` is what a retired key gave for a purpose
that must outlast it (`SecretBox.derive_lasting`). Keys are 32 bytes in base64, or encrypted by a key service
(`KeyWrapping`), which the text of an entry shows.
"""

import base64
import binascii
import fcntl
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from zcbus.kit.errors import TerminalError
from zcbus.kit.files import write_durably, write_private_file

KEY_BYTES = 32
_LASTING = "lasting:"
_DIVIDERS = str.maketrans(";", "\n")


class KeysInvalidError(TerminalError):
    """The master keys cannot be read. Facts: source, line (its number)."""

    code = "keys-invalid"


class KeysFixedError(TerminalError):
    """The master keys come from the environment, which a command cannot change. Facts: name."""

    code = "keys-fixed"


class KeyFileOwnerError(TerminalError):
    """Another account owns the key file: written again, it would be this one's. Facts: path, owner (its number)."""

    code = "key-file-owner"


class KeyWrapping(Protocol):
    """A key service that encrypts keys, so that they are useless without it. Calls raise TransientError and
    TerminalError of the service."""

    prefix: str
    """Begin of every text that it made."""

    def wrap(self, key: bytes) -> str: ...
    def unwrap(self, text: str) -> bytes: ...


@dataclass(frozen=True, slots=True)
class KeyRing:
    """Master keys by id, the oldest first, and what retired keys left by purpose."""

    keys: Mapping[str, bytes]
    lasting: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def newest(self) -> str:
        """The id of the newest key."""
        return list(self.keys)[-1]

    def with_new_key(self) -> "KeyRing":
        """The ring with one more key."""
        return replace(self, keys={**self.keys, **_new_key()})

    def without(self, key_id: str, left: Mapping[str, bytes]) -> "KeyRing":
        """The ring without a key. `left`: what it gave by purpose; what an older one left counts before."""
        keys = {name: key for name, key in self.keys.items() if name != key_id}
        return KeyRing(keys, {**left, **self.lasting})


class KeySource(Protocol):
    """Where a process has its keys from."""

    name: str
    """For people: a path or a setting."""

    def read(self) -> KeyRing:
        """Raises KeysInvalidError, OSError, and what the key service raises."""

    def changed(self) -> bool:
        """Whether `read` would give something else than at the last time."""

    def change(self, changed: Callable[[KeyRing], KeyRing]) -> KeyRing:
        """Replace the ring durably, one process at a time; returns the new one. Raises KeysFixedError,
        KeyFileOwnerError and as `read`."""


class KeyFile:
    """Keys in a file that only its owner can read. It is made with one key where there is none."""

    def __init__(self, path: Path, wrapping: KeyWrapping | None = None) -> None:
        self.name = str(path)
        self._path, self._wrapping = path, wrapping
        self._seen: tuple[int, int, int] | None = None

    def read(self) -> KeyRing:
        if not self._path.exists():
            write_private_file(self._path, _text(KeyRing(_new_key()), self._wrapping))
        self._seen = self._stamp()
        return parse(self._path.read_text("ascii"), self.name, self._wrapping)

    def changed(self) -> bool:
        return self._stamp() != self._seen

    def change(self, changed: Callable[[KeyRing], KeyRing]) -> KeyRing:
        with self._alone():
            ring = changed(self.read())
            owner = self._path.stat().st_uid
            if owner != os.geteuid():
                raise KeyFileOwnerError(path=str(self._path), owner=owner)
            write_durably(self._path, _text(ring, self._wrapping).encode(), mode=0o600)
            self._seen = self._stamp()
            return ring

    def _stamp(self) -> tuple[int, int, int] | None:
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    @contextmanager
    def _alone(self) -> Iterator[None]:
        handle = os.open(self._path.with_name(f".{self._path.name}.lock"), os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


class KeyText:
    """Keys of a setting: a process has them as they were at its start."""

    def __init__(self, name: str, text: str, wrapping: KeyWrapping | None = None) -> None:
        self.name = name
        self._text, self._wrapping = text, wrapping

    def read(self) -> KeyRing:
        return parse(self._text.translate(_DIVIDERS), self.name, self._wrapping)

    def changed(self) -> bool:
        return False

    def change(self, changed: Callable[[KeyRing], KeyRing]) -> KeyRing:
        raise KeysFixedError(name=self.name)


def parse(text: str, source: str, wrapping: KeyWrapping | None = None) -> KeyRing:
    """The ring of a text. Raises KeysInvalidError."""
    keys: dict[str, bytes] = {}
    lasting: dict[str, bytes] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        name, _, value = line.strip().partition(" ")
        key = _key(value.strip(), wrapping)
        if key is None or len(key) != KEY_BYTES or name in keys:
            raise KeysInvalidError(source=source, line=number)
        if name.startswith(_LASTING):
            lasting[name.removeprefix(_LASTING)] = key
        else:
            keys[name] = key
    if not keys:
        raise KeysInvalidError(source=source, line=1)
    return KeyRing(keys, lasting)


def key_line(key_id: str, key: bytes) -> str:
    """The entry of a key, not encrypted."""
    return f"{key_id} {base64.b64encode(key).decode()}\n"


def _new_key() -> dict[str, bytes]:
    return {secrets.token_hex(4): os.urandom(KEY_BYTES)}


def _text(ring: KeyRing, wrapping: KeyWrapping | None) -> str:
    entries = {**{f"{_LASTING}{purpose}": key for purpose, key in ring.lasting.items()}, **ring.keys}
    if wrapping is None:
        return "".join(key_line(name, key) for name, key in entries.items())
    return "".join(f"{name} {wrapping.wrap(key)}\n" for name, key in entries.items())


def _key(value: str, wrapping: KeyWrapping | None) -> bytes | None:
    if wrapping is not None and value.startswith(wrapping.prefix):
        return wrapping.unwrap(value)
    try:
        return base64.b64decode(value, validate=True)
    except binascii.Error:
        return None
