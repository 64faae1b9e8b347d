"""Rows of a query as CSV (RFC 4180, UTF-8, with a header)."""

import csv
import io
import re

import orjson

from zcbus.connectors.queries import Found

_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
_OPTIONS = orjson.OPT_NON_STR_KEYS | orjson.OPT_PASSTHROUGH_SUBCLASS


def csv_of(found: Found, guarded: bool) -> bytes:
    """Objects and lists are JSON, NULL is empty. `guarded`: safe for spreadsheet programs."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    spelled = _guarded if guarded else _cell
    writer.writerow([spelled(name) for name, _ in found.columns])
    writer.writerows([[spelled(value) for value in row] for row in found.rows])
    return text.getvalue().encode()


def _guarded(value: object) -> object:
    """Protect a text that a spreadsheet program would run as a formula: an apostrophe makes it a text."""
    cell = _cell(value)
    if isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    return orjson.dumps(value, option=_OPTIONS, default=str).decode() if isinstance(value, dict | list) else value
