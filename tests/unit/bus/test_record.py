"""Headers: what is packed comes out, what is damaged does not."""

import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from zcbus.bus.embedded.record import HEADER_BYTES, Header, is_payload_intact, pack_header, read_fully, unpack_header

_WORDS = st.integers(0, 2**64 - 1)
_HALVES = st.integers(0, 2**32 - 1)


@given(st.builds(Header, _HALVES, _WORDS, _WORDS, _WORDS, _HALVES))
def test_pack_and_unpack(header: Header) -> None:
    data = pack_header(header)
    assert len(data) == HEADER_BYTES == 40
    assert unpack_header(memoryview(data + b"more")) == header


@given(st.integers(0, HEADER_BYTES - 1), st.integers(1, 255))
def test_any_changed_byte_is_noticed(place: int, change: int) -> None:
    data = bytearray(pack_header(Header(5, 77, 1_700_000_000_000, 70, 123)))
    data[place] ^= change
    assert unpack_header(bytes(data)) is None


def test_half_a_header_is_none() -> None:
    data = pack_header(Header(5, 77, 1, 70, 123))
    assert all(unpack_header(data[:length]) is None for length in range(HEADER_BYTES))


def test_reading_stops_at_the_end_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"0123456789")
    descriptor = os.open(path, os.O_RDONLY)
    try:
        assert read_fully(descriptor, 4, 2) == b"2345"
        assert read_fully(descriptor, 100, 8) == b"89"
        assert read_fully(descriptor, 1, 10) == b""
        assert not is_payload_intact(descriptor, 0, Header(100, 0, 0, 0, 0))
    finally:
        os.close(descriptor)
