"""Offsets of entries: in the order of ids, and with the number that the next entry must have."""

from hypothesis import given
from hypothesis import strategies as st

from zcbus.connectors.redis.entry_ids import ENTRY_IDS, Place, parts_of, place_of

PARTS = st.integers(0, (1 << 64) - 1)
PLACES = st.builds(Place, PARTS, PARTS, st.none() | st.integers(0, (1 << 63) - 1))


@given(PLACES)
def test_an_offset_keeps_id_and_number(place: Place) -> None:
    assert place_of(place.offset()) == place


@given(PLACES, PARTS, PARTS)
def test_the_offset_behind_an_entry_is_its_own_plus_one(place: Place, milliseconds: int, sequence: int) -> None:
    after = place.entry(f"{milliseconds}-{sequence}".encode())
    entry = after.offset() - 1
    assert ENTRY_IDS.text(entry) == f"{milliseconds}-{sequence}"
    assert place_of(entry + 1) == after
    assert after.counted == (None if place.counted is None else place.counted + 1)


@given(PLACES, PLACES)
def test_offsets_are_in_the_order_of_ids(one: Place, other: Place) -> None:
    if one[:2] < other[:2]:
        assert one.offset() < other.offset()


@given(PARTS, PARTS)
def test_a_load_resumes_behind_an_id_without_counting(milliseconds: int, sequence: int) -> None:
    text = f"{milliseconds}-{sequence}"
    assert place_of(ENTRY_IDS.parse(text) + 1) == (milliseconds, sequence, None)
    assert parts_of(text) == (milliseconds, sequence)
    assert ENTRY_IDS.type.length is not None
    assert len(text) <= ENTRY_IDS.type.length
