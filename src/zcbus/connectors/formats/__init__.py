"""What is in files: bytes to columns in canonical forms. A format knows nothing of where the bytes lie."""

from zcbus.connectors.formats.form import TEXT, BadRecord, Format

__all__ = ["TEXT", "BadRecord", "Format"]
