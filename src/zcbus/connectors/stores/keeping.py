"""Complete files that the platform keeps for itself: in a folder of this host, or in a bucket."""

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol

from zcbus.kit.errors import TransientError
from zcbus.kit.files import sync_file
from zcbus.kit.upload_settings import ObjectStoreSettings

_PIECE = 1 << 20
_DETAIL = 300


class KeepingUnavailable(TransientError):
    """The files' store does not do what it should. Facts: place, detail."""

    code = "file-store-unavailable"


class Keeping(Protocol):
    """Files by name. A name has letters and digits only; its content never changes. Raises KeepingUnavailable."""

    def put(self, name: str, file: Path) -> None:
        """Keep a copy of a file durably. Idempotent. The file may be removed afterwards."""

    def read(self, name: str) -> Iterator[bytes]:
        """The content in pieces of about 1 MiB. Raises FileNotFoundError before the first."""

    def remove(self, name: str) -> None:
        """Idempotent."""


class FolderKeeping:
    """See Keeping."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, name: str, file: Path) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            begun = self._folder / f".{name}"
            shutil.copyfile(file, begun)
            sync_file(begun)
            begun.replace(self._folder / name)
            sync_file(self._folder)
        except OSError as error:
            raise KeepingUnavailable(place=str(self._folder), detail=str(error)[:_DETAIL]) from error

    def read(self, name: str) -> Iterator[bytes]:
        file = (self._folder / name).open("rb")

        def pieces() -> Iterator[bytes]:
            with file:
                while piece := file.read(_PIECE):
                    yield piece

        return pieces()

    def remove(self, name: str) -> None:
        try:
            (self._folder / name).unlink(missing_ok=True)
        except OSError as error:
            raise KeepingUnavailable(place=str(self._folder), detail=str(error)[:_DETAIL]) from error


class BucketKeeping:
    """See Keeping. Requests are repeated for a while where the bucket is busy."""

    def __init__(self, settings: ObjectStoreSettings) -> None:
        # Loaded with the first file: most installations have no bucket.
        from obstore.store import S3Store

        self._place = f"s3://{settings.bucket}/{settings.folder}".rstrip("/")
        self._files: Any = S3Store(
            settings.bucket,
            prefix=settings.folder or None,
            config=_config(settings),
            client_options={"allow_http": settings.endpoint.startswith("http://")},
            retry_config={"max_retries": 3, "retry_timeout": timedelta(seconds=30)},
        )

    def put(self, name: str, file: Path) -> None:
        import obstore

        self._tried(lambda: obstore.put(self._files, name, file))

    def read(self, name: str) -> Iterator[bytes]:
        import obstore

        found = self._tried(lambda: obstore.get(self._files, name))
        return (bytes(piece) for piece in found.stream(min_chunk_size=_PIECE))

    def remove(self, name: str) -> None:
        import obstore

        try:
            self._tried(lambda: obstore.delete(self._files, name))
        except FileNotFoundError:
            return

    def _tried(self, action: Any) -> Any:
        from obstore.exceptions import BaseError

        try:
            return action()
        except FileNotFoundError:
            raise
        except (BaseError, OSError) as error:
            raise KeepingUnavailable(place=self._place, detail=" ".join(str(error).split())[:_DETAIL]) from error


def _config(settings: ObjectStoreSettings) -> Any:
    found = {
        "aws_region": settings.region,
        "aws_access_key_id": settings.key,
        "aws_secret_access_key": settings.secret,
    }
    return {**found, "aws_endpoint": settings.endpoint} if settings.endpoint else found
