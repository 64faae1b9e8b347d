"""Structured logs: one JSON object a line on standard error, with secrets taken out."""

import logging
import sys
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any, TextIO, cast

import structlog

from zcbus.kit.log_file import RotatingLog
from zcbus.kit.patient_output import PatientOutput

_SECRET_WORDS = ("password", "secret", "token", "authorization", "private_key")


_RANKS = {name.lower(): rank for name, rank in logging.getLevelNamesMapping().items()} | {"exception": logging.ERROR}
_least = logging.INFO


class _StandardError:
    """Takes what is logged to standard error, whatever that is at the moment, and to a file."""

    def __init__(self, file: RotatingLog | None) -> None:
        self._file = file

    def write(self, text: str) -> int:
        if self._file is not None:
            self._file.write(text.encode(errors="backslashreplace"))
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def configure_logging(
    level: str = "info", file: RotatingLog | None = None, output: PatientOutput | None = None
) -> None:
    """Set up structlog for this process; what is logged goes to `file` too, or only to `output`. Safe to call again."""
    set_log_level(level)
    structlog.configure(
        processors=[
            _leave_out,
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            hide_secrets,
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG),
        # Each line in one piece.
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, output or _StandardError(file))),
        cache_logger_on_first_use=True,
    )


def set_log_level(level: str) -> None:
    """From now on only lines of at least this level (`debug`, `info`, `warning`, `error`) are written."""
    # Loggers are made once and for all; what they leave out changes while they are used.
    global _least
    _least = logging.getLevelNamesMapping()[level.upper()]


@contextmanager
def logged_with(**fields: Any) -> Iterator[None]:
    """Every line that is written because of what the block does carries these fields, in other threads too where they
    take the context along."""
    with structlog.contextvars.bound_contextvars(**fields):
        yield


def _leave_out(_logger: object, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    if _RANKS.get(method, logging.INFO) < _least:
        raise structlog.DropEvent
    return event


def hide_secrets(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Replace the value of every field whose name speaks of a secret."""
    for name in event:
        if any(word in name.lower() for word in _SECRET_WORDS):
            event[name] = "***"
    return event


def get_logger(name: str) -> Any:
    """A logger bound to the component's name; it follows `configure_logging` even when it was made before."""
    return structlog.get_logger(component=name)
