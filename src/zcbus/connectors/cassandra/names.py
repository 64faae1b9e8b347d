"""Names of tables. The server takes letters of English, digits and underscores only, quoted or not."""

import re

OWN = frozenset({"zcbus_state", "zcbus_done", "zcbus_parts", "zcbus_row_errors"})
"""Tables of what the platform stores itself."""
_ESCAPED = re.compile(r"[^A-Za-z0-9_]|_(?=0x[0-9a-f])")
_ESCAPE = re.compile(r"_0x([0-9a-f]+)_")


def stored_name(table: str) -> str:
    """The name of a table here: what the server does not take is written `_0x8868_`, so that no two tables meet."""
    return f"_0x{ord(table[0]):x}_{table[1:]}" if table in OWN else _ESCAPED.sub(_hexadecimal, table)


def table_name(stored: str) -> str:
    """Inverse of `stored_name`; a name that it never gives stays as it is, and is of no table that can be used."""
    table = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), stored)
    return table if stored_name(table) == stored else stored


def _hexadecimal(found: re.Match[str]) -> str:
    return f"_0x{ord(found[0]):x}_"
