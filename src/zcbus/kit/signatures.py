"""Detached Ed25519 signatures of files, by the public keys of a folder.

A signature is what `openssl pkeyutl -sign -rawin` writes: 64 bytes over the whole file. Here it travels in base64.
"""

import binascii
import mmap
from base64 import b64decode
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from zcbus.kit.logging import get_logger

_log = get_logger("signatures")


def signer_of(path: Path, signature: str, keys: Path) -> str:
    """The name, without `.pem`, of the key in the folder whose signature of the file it is; empty: of none. The folder
    is read each time, so that keys can be exchanged while programs run. Raises OSError for the file."""
    try:
        raw = b64decode(signature, validate=True)
    except (binascii.Error, ValueError):
        return ""
    if len(raw) != 64:
        return ""
    with (
        path.open("rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped,
        memoryview(mapped) as content,
    ):
        for name, key in _keys(keys).items():
            try:
                key.verify(raw, content)
            except InvalidSignature:
                continue
            return name
    return ""


def key_names(keys: Path) -> list[str]:
    """The names of the usable keys in a folder."""
    return list(_keys(keys))


def _keys(folder: Path) -> dict[str, Ed25519PublicKey]:
    found = {}
    for path in sorted(folder.glob("*.pem")):
        try:
            key = load_pem_public_key(path.read_bytes())
        except (OSError, ValueError) as error:
            _log.warning("signature-key-unreadable", file=str(path), error=str(error))
            continue
        if isinstance(key, Ed25519PublicKey):
            found[path.stem] = key
    return found
