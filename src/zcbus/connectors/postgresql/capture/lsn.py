"""Log sequence numbers in PostgreSQL's notation. Needs no driver, so code without a connection can use it."""

from zcbus.model.position import Position


def parse_lsn(text: str) -> int:
    """`16/B374D848` as a number."""
    high, _, low = text.partition("/")
    return (int(high, 16) << 32) | int(low, 16)


def format_lsn(lsn: int) -> str:
    """Inverse of parse_lsn."""
    return f"{lsn >> 32:X}/{lsn & 0xFFFFFFFF:X}"


def place(position: Position) -> str:
    """A position as PostgreSQL writes it."""
    return format_lsn(position.offset)


def fields(position: Position) -> dict[str, int]:
    """A position for programs: as a number."""
    return {"lsn": position.offset}
