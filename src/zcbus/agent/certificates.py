"""The ends of the TLS certificates that an agent's host uses."""

from collections.abc import Mapping
from pathlib import Path

from zcbus.kit.certificates import end_of
from zcbus.kit.clock import Clock
from zcbus.kit.logging import get_logger
from zcbus.protocol.agent import CertificateEnd

_EVERY_SECONDS = 60.0
_log = get_logger("agent.certificates")


class CertificateEnds:
    """Reads the files once a minute: they are renewed while the agent runs."""

    def __init__(self, files: Mapping[str, Path], clock: Clock) -> None:
        """`files`: PEM files by their use (CertificateEnd); those that do not exist are skipped."""
        self._files = files
        self._clock = clock
        self._read_at: float | None = None

    def read(self) -> tuple[CertificateEnd, ...] | None:
        """All ends; None if it is too early to read them again."""
        now = self._clock.monotonic()
        if self._read_at is not None and now - self._read_at < _EVERY_SECONDS:
            return None
        self._read_at = now
        return tuple(end for use, file in self._files.items() if (end := _end(use, file)) is not None)


def _end(use: str, file: Path) -> CertificateEnd | None:
    try:
        return CertificateEnd(use=use, file=str(file)[:1000], ends_at=end_of(file.read_bytes()))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        _log.warning("certificate-unreadable", use=use, file=str(file), error=str(error))
        return None
