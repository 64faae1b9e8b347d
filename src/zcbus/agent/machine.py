"""Identification of this host."""

import hashlib
import hmac
from pathlib import Path

_MACHINE_ID = Path("/etc/machine-id")
_SERIAL_NUMBERS = (Path("/sys/class/dmi/id/product_serial"), Path("/proc/device-tree/serial-number"))
_LONGEST = 100


def machine_code() -> str:
    """32 hexadecimal digits that identify this operating system's installation; '' if unknown.

    The machine id is confidential, so it is hashed for this product alone.
    """
    own = _content(_MACHINE_ID)
    return hmac.new(own.encode(), b"zcbus", hashlib.sha256).hexdigest()[:32] if own else ""


def serial_number() -> str:
    """Serial number of the hardware; '' if this user may not read it."""
    return next((number for path in _SERIAL_NUMBERS if (number := _content(path))), "")


def _content(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace").strip("\x00 \n")[:_LONGEST]
    except OSError:
        return ""
