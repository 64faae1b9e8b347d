"""Structured logs: one JSON object per line on standard error, with secrets removed."""

import logging
import sys
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any, TextIO, cast

import structlog

from zcbus.kit.log_file import RotatingLog
from zcbus.kit.nonblocking_output import NonBlockingOutput

_SECRET_NAMES = ("password", "secret", "token", "authorization", "private_key")


_RANKS = {name.lower(): rank for name, rank in logging.getLevelNamesMapping().items()} | {"exception": logging.ERROR}
_least = logging.INFO


class _StandardError:
    """Writes log lines to the current standard error, and to a file."""

    def __init__(self, file: RotatingLog | None) -> None:
        self._file = file

    def write(self, text: str) -> int:
        if self._file is not None:
            self._file.write(text.encode(errors="backslashreplace"))
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def configure_logging(
    level: str = "info", file: RotatingLog | None = None, output: NonBlockingOutput | None = None
) -> None:
    """Set up structlog for this process. Idempotent.

    `file`: also written to. `output`: written to instead of standard error.
    """
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
        # One write per line, so that lines of processes do not mix.
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, output or _StandardError(file))),
        cache_logger_on_first_use=True,
    )


def set_log_level(level: str) -> None:
    """Set the minimum level (`debug`, `info`, `warning`, `error`) of log lines."""
    # Loggers are created once and cached, so the level is checked by a processor.
    global _least
    _least = logging.getLevelNamesMapping()[level.upper()]


@contextmanager
def logged_with(**fields: Any) -> Iterator[None]:
    """Add fields to every log line of a block.

    Other threads have the fields if they copy the context.
    """
    with structlog.contextvars.bound_contextvars(**fields):
        yield


def _leave_out(_logger: object, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    if _RANKS.get(method, logging.INFO) < _least:
        raise structlog.DropEvent
    return event


def hide_secrets(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Replace the value of every field whose name indicates a secret."""
    for name in event:
        if any(secret in name.lower() for secret in _SECRET_NAMES):
            event[name] = "***"
    return event


def get_logger(name: str) -> Any:
    """A logger for a component; loggers created before `configure_logging` follow it too."""
    return structlog.get_logger(component=name)
