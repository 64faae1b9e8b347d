"""What is in files: bytes to columns of text. A format knows nothing of where the bytes lie."""

from zcbus.connectors.formats.form import BadRecord, Format

__all__ = ["BadRecord", "Format"]
