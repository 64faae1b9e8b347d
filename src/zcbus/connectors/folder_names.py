"""Names of tables as names of folders."""

import re

_SAFE = re.compile(r"[\w\- ]")


def folder_of(table: str) -> str:
    """The folder of a table's name: what file systems or libraries would read as something else is spelled
    otherwise."""
    kept = "".join(one if _SAFE.fullmatch(one) else "".join(f"={byte:02X}" for byte in one.encode()) for one in table)
    return f"=5F{kept[1:]}" if kept.startswith("_") else kept


def table_of(folder: str) -> str:
    """Inverse of folder_of."""
    return re.sub(
        r"(?:=[0-9A-F]{2})+", lambda found: bytes.fromhex(found[0].replace("=", "")).decode(errors="replace"), folder
    )
