"""Durable writes: whole, or the file is as it was."""

import errno
import os
from pathlib import Path

import pytest

from zcbus.kit.files import append_durably, write_durably

REAL = os.write


def test_a_disk_that_takes_a_part_at_a_time_gets_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "write", lambda handle, data: REAL(handle, bytes(data[:3])))
    write_durably(tmp_path / "a", b"0123456789")
    append_durably(tmp_path / "a", b"abcde")
    assert (tmp_path / "a").read_bytes() == b"0123456789abcde"


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_bytes(b"before")

    def write(handle: int, data: bytes) -> int:
        if len(data) < 10:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return REAL(handle, bytes(data[:3]))

    monkeypatch.setattr(os, "write", write)
    with pytest.raises(OSError, match="space"):
        write_durably(tmp_path / "a", b"0123456789")
    assert (tmp_path / "a").read_bytes() == b"before"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
