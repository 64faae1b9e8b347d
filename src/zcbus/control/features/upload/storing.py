"""Where complete files are kept."""

from functools import lru_cache
from typing import Literal

from zcbus.connectors.stores.keeping import BucketKeeping, FolderKeeping, Keeping
from zcbus.kit.upload_settings import ObjectStoreSettings, UploadSettings

Store = Literal["local", "object"]


def keeping(settings: UploadSettings, store: str) -> Keeping:
    """The files of one of the two stores. A file stays where it was put: without the bucket's settings those in it are
    out of reach, and reading them fails."""
    if store == "object" and settings.store is not None:
        return _bucket(settings.store)
    return FolderKeeping(settings.folder / "files")


@lru_cache(maxsize=2)
def _bucket(settings: ObjectStoreSettings) -> BucketKeeping:
    return BucketKeeping(settings)
