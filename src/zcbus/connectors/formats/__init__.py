"""Formats of files: bytes to columns in canonical forms, independent of the store."""

from zcbus.connectors.formats.form import TEXT, BadRecord, Format

__all__ = ["TEXT", "BadRecord", "Format"]
