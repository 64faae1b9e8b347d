"""Names of collections and fields, and the ids of documents.

A column is the field of its name. A document's `_id` is the value of its key, or a document of the key's values.
"""

import re

OWN = "zcbus_state"
"""The collection of what the platform stores itself."""
VERSION = "_zcbus"
"""Field of each document that the platform writes: the number of the part that wrote it."""
GONE = "_zcbus_gone"
"""Field of what stands for a deleted document for some minutes; see state."""
_RESERVED_FIELD = re.compile(r"^(?:_id$|_zcbus)")
_ESCAPED = re.compile(r"[%$.\x00]")
_RESERVED_COLLECTION = re.compile(rf"^(?:system\.|{OWN}$|_ferretdb_|\.)")
_ESCAPED_IN_COLLECTION = re.compile(r"[%$\x00]")
_ESCAPE = re.compile(r"%([0-9A-F]{2})")


def field_of(column: str) -> str:
    """The field of a column: a dot would lead into a document, a dollar is the language's."""
    spelled = _ESCAPED.sub(_hexadecimal, column)
    return f"%5F{spelled[1:]}" if _RESERVED_FIELD.match(spelled) else spelled


def stored_name(table: str) -> str:
    """The collection of a table; no two tables have the same."""
    spelled = _ESCAPED_IN_COLLECTION.sub(_hexadecimal, table)
    return f"%{ord(spelled[0]):02X}{spelled[1:]}" if _RESERVED_COLLECTION.match(spelled) else spelled


def table_name(collection: str) -> str:
    """Inverse of `stored_name`; a name that it never gives stays as it is."""
    table = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), collection)
    return table if stored_name(table) == collection else collection


def is_own(collection: str) -> bool:
    """Whether no table has this collection: the platform's, or the server's own."""
    return collection == OWN or collection.startswith("system.")


def _hexadecimal(found: re.Match[str]) -> str:
    return f"%{ord(found[0]):02X}"
