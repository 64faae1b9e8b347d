"""Files of the platform's own: the same in a folder and in a bucket."""

from pathlib import Path

import pytest

from tests.servers.s3 import S3Server
from zcbus.connectors.stores.keeping import BucketKeeping, FolderKeeping, Keeping, KeepingUnavailable
from zcbus.kit.upload_settings import ObjectStoreSettings

CONTENT = bytes(range(256)) * 10_000


def bucket(server: S3Server, key: str = "WRITERKEY") -> BucketKeeping:
    settings = ObjectStoreSettings(server.bucket, "platform/files", server.endpoint, "us-east-1", key, key.lower())
    return BucketKeeping(settings)


def keeps(keeping: Keeping, tmp_path: Path) -> None:
    file = tmp_path / "content"
    file.write_bytes(CONTENT)
    for _ in range(2):
        keeping.put("abc", file)
    assert b"".join(keeping.read("abc")) == CONTENT
    for _ in range(2):
        keeping.remove("abc")
    with pytest.raises(FileNotFoundError):
        keeping.read("abc")


def test_files_are_kept_in_a_folder(tmp_path: Path) -> None:
    keeps(FolderKeeping(tmp_path / "kept" / "files"), tmp_path)


def test_files_are_kept_in_a_bucket(s3_server: S3Server, tmp_path: Path) -> None:
    keeps(bucket(s3_server), tmp_path)


def test_a_bucket_that_refuses_says_so(s3_server: S3Server, tmp_path: Path) -> None:
    (tmp_path / "content").write_bytes(CONTENT)
    with pytest.raises(KeepingUnavailable) as failed:
        bucket(s3_server, "READERKEY").put("abc", tmp_path / "content")
    assert failed.value.facts["place"] == "s3://shop/platform/files"
    assert "readerkey" not in str(failed.value)
