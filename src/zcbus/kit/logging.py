"""Structured logs: one JSON object a line on standard error, with secrets taken out."""

import json
import logging
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Protocol

from zcbus.kit.log_file import RotatingLog
from zcbus.kit.patient_output import PatientOutput

_SECRET_WORDS = ("password", "secret", "token", "authorization", "private_key")

Fields = dict[str, Any]


class _Output(Protocol):
    """Takes lines of text."""

    def write(self, text: str, /) -> object: ...
    def flush(self) -> object: ...


class _Both:
    """Takes what is logged to standard error and to a file."""

    def __init__(self, file: RotatingLog) -> None:
        self._file = file

    def write(self, text: str) -> int:
        self._file.write(text.encode(errors="backslashreplace"))
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


_least = logging.INFO
_output: _Output | None = None
"""None: standard error, whatever that is at the moment."""
_one_line = threading.Lock()
_around: ContextVar[Mapping[str, Any]] = ContextVar("zcbus_log_fields")


class Logger:
    """Writes lines that carry its fields; safe for many threads. A field of a call wins over the logger's own."""

    __slots__ = ("_fields",)

    def __init__(self, fields: Fields) -> None:
        self._fields = fields

    def bind(self, **fields: Any) -> "Logger":
        """A logger that has more fields."""
        return Logger({**self._fields, **fields})

    def debug(self, event: str, **fields: Any) -> None:
        """What is of use to who looks for a fault."""
        self._write(logging.DEBUG, "debug", event, fields)

    def info(self, event: str, **fields: Any) -> None:
        """What happened."""
        self._write(logging.INFO, "info", event, fields)

    def warning(self, event: str, **fields: Any) -> None:
        """What somebody should look at some time."""
        self._write(logging.WARNING, "warning", event, fields)

    def error(self, event: str, **fields: Any) -> None:
        """What failed. `exc_info`: the error, which is written with where it came from."""
        self._write(logging.ERROR, "error", event, fields)

    def exception(self, event: str, **fields: Any) -> None:
        """What failed with the error that is being handled."""
        self.error(event, exc_info=sys.exception(), **fields)

    def _write(self, rank: int, level: str, event: str, fields: Fields) -> None:
        if rank < _least:
            return
        line = {**_around.get({}), **self._fields, **fields, "event": event, "level": level}
        line["timestamp"] = datetime.now(UTC).isoformat().replace("+00:00", "Z")
        _put(json.dumps(_written_out(_without_secrets(line)), default=repr, ensure_ascii=False))


def get_logger(name: str) -> Logger:
    """A logger bound to the component's name; it follows `configure_logging` even when it was made before."""
    return Logger({"component": name})


def configure_logging(
    level: str = "info", file: RotatingLog | None = None, output: PatientOutput | None = None
) -> None:
    """Choose for this process what is logged and where: it goes to `file` too, or only to `output`. Safe to call
    again."""
    global _output
    set_log_level(level)
    _output = output or (_Both(file) if file else None)


def set_log_level(level: str) -> None:
    """From now on only lines of at least this level (`debug`, `info`, `warning`, `error`) are written."""
    global _least
    _least = logging.getLevelNamesMapping()[level.upper()]


@contextmanager
def logged_with(**fields: Any) -> Iterator[None]:
    """Every line that is written because of what the block does carries these fields, in other threads too where they
    take the context along."""
    token = _around.set({**_around.get({}), **fields})
    try:
        yield
    finally:
        _around.reset(token)


def _without_secrets(line: Fields) -> Fields:
    """The value of every field whose name speaks of a secret is replaced."""
    return {name: "***" if _is_secret(name) else value for name, value in line.items()}


def _is_secret(name: str) -> bool:
    lowered = name.lower()
    return any(word in lowered for word in _SECRET_WORDS)


def _written_out(line: Fields) -> Fields:
    """The error itself becomes text."""
    error = line.pop("exc_info", None)
    if isinstance(error, BaseException):
        line["exception"] = "".join(traceback.format_exception(error)).rstrip("\n")
    return line


def _put(line: str) -> None:
    """Each line in one piece."""
    with _one_line:
        output = _output or sys.stderr
        output.write(line + "\n")
        output.flush()
