"""The scanner that the operator names: its verdict comes before a file is visible."""

import subprocess
from pathlib import Path

from zcbus.control.features.upload.errors import ScannerFailedError, UploadInfectedError
from zcbus.kit.upload_settings import UploadSettings

_SECONDS = 300
_REJECTED = 1
"""As clamscan and clamdscan end."""
_SHOWN = 300


def scan(settings: UploadSettings, path: Path, name: str) -> None:
    """Raises UploadInfectedError, ScannerFailedError. Without a scanner nothing happens."""
    if not settings.scanner:
        return
    try:
        ended = subprocess.run(
            [*settings.scanner, str(path)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ScannerFailedError(detail=str(error)[:_SHOWN]) from error
    # The uploader must not learn where this host keeps files.
    said = (ended.stdout + ended.stderr).decode(errors="replace").replace(str(path), name).strip()[:_SHOWN]
    if ended.returncode == _REJECTED:
        raise UploadInfectedError(name=name, detail=said)
    if ended.returncode:
        raise ScannerFailedError(detail=f"{ended.returncode}: {said}")
