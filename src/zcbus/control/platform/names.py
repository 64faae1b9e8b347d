"""Names that people give."""

import unicodedata

from zcbus.control.platform.faults import field_fault


def plain_name(value: str) -> str:
    """A name that reads the same everywhere: not blank, no blanks around it, no invisible characters. A check of
    schemas; raises field faults."""
    if not value.strip():
        raise field_fault("missing")
    if value != value.strip() or any(unicodedata.category(character).startswith("C") for character in value):
        raise field_fault("plain-name")
    return value
