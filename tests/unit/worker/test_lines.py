"""Lines from a pipe, however they are cut."""

import os

import pytest

from zcbus.worker.lines import lines


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (b"", []),
        (b"one\n", [b"one"]),
        (b"one\ntwo", [b"one", b"two"]),
        (b"\n\n", [b"", b""]),
        (b"x" * 60_000 + b"\ny\n", [b"x" * 60_000, b"y"]),
    ],
)
def test_lines(written: bytes, expected: list[bytes]) -> None:
    reading, writing = os.pipe()
    os.write(writing, written)
    os.close(writing)
    assert list(lines(reading)) == expected
    os.close(reading)
