"""AES-256-GCM with the installation's newest key (`platform.secrets`), written in base 32.

A text opens only for the tenant whose member encrypted it.

The result holds only small letters and the digits 2 to 7, so that it survives forms, files and shells; the key's id is
inside, so that older texts open after the key was replaced.
"""

import base64
import binascii

from zcbus.control.features.encode_tool.errors import NotEncodedHereError
from zcbus.control.platform.secrets import SecretBox, SecretUnreadableError

_BASE32_BLOCK = 8


def encode(box: SecretBox, tenant: str, text: str) -> str:
    """Encrypt a text. The same text gives another result each time."""
    return base64.b32encode(box.seal(text, _context(tenant)).encode()).decode().rstrip("=").lower()


def decode(box: SecretBox, tenant: str, encoded: str) -> str:
    """Decrypt the result of `encode`; blanks around and inside are ignored. Raises NotEncodedHereError."""
    letters = "".join(encoded.split()).upper()
    try:
        sealed = base64.b32decode(letters + "=" * (-len(letters) % _BASE32_BLOCK)).decode()
        return box.open(sealed, _context(tenant))
    except (binascii.Error, ValueError, SecretUnreadableError):
        raise NotEncodedHereError from None


def _context(tenant: str) -> str:
    return f"encode-tool:{tenant}"
