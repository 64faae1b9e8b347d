"""What a pass over a table proves, and from when on."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from zcbus.engine.comparison.record import Record
from zcbus.engine.verification import place as places
from zcbus.engine.verification.place import Place
from zcbus.engine.verification.progress import advanced, begun, finished, is_full, told, with_found
from zcbus.engine.verification.table import MOST_KEPT, Looked
from zcbus.model.comparison import Difference, DifferenceKind, RepairState

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(minutes=1)
ROW = Difference(DifferenceKind.DIFFERENT, ("7",), {"id": "7", "v": "a"}, {"id": "7", "v": "b"}, ("v",))


def test_a_table_is_verified_until_its_pass_began() -> None:
    place = begun(Place(1), ("id",), 0, NOW)
    place = advanced(place, Looked({}, 1, 100, ("100",)))
    assert (place.behind, place.verified_until) == (("100",), None)
    place = finished(advanced(place, Looked({}, 2, 50)), True, LATER)
    assert (place.verified_until, place.finished_at, place.rows_total, place.unsettled) == (NOW, LATER, 150, 3)


def test_a_pass_goes_on_behind_a_restart_but_not_by_another_key() -> None:
    place = advanced(begun(Place(1), ("id",), 0, NOW), Looked({}, 0, 100, ("100",)))
    assert begun(place, ("id",), 0, LATER) == place
    assert begun(place, ("name",), 0, LATER).behind == ()


def test_a_pass_that_found_something_proves_nothing_though_it_is_gone_at_its_end() -> None:
    before = replace(Place(1), verified_until=NOW - timedelta(days=1))
    place = advanced(begun(before, ("id",), 0, NOW), Looked({ROW.key: ROW}, 0, 100, ("100",)))
    assert finished(place, True, LATER).verified_until == before.verified_until


def test_a_request_begins_the_pass_anew_and_is_fulfilled_at_its_end() -> None:
    place = advanced(begun(Place(1), ("id",), 0, NOW), Looked({}, 0, 100, ("100",)))
    place = begun(place, ("id",), 2, LATER)
    assert (place.behind, place.began_at, place.asked) == ((), LATER, 0)
    assert finished(place, True, LATER).asked == 2
    assert begun(finished(place, True, LATER), ("id",), 2, LATER).serves == 2


def test_what_differs_is_told_until_it_is_gone() -> None:
    record = with_found(Record(1), {ROW.key: ROW}, ("id",))
    shown = told(Place(1), record, None)
    assert (shown.different, shown.missing, shown.capped, record.repair_state) == (1, 0, False, RepairState.ALLOWED)
    assert told(Place(1), with_found(record, {}, ("id",)), None).different == 0


def test_no_more_is_looked_for_where_much_differs() -> None:
    many = {(str(n),): replace(ROW, key=(str(n),)) for n in range(MOST_KEPT)}
    assert is_full(with_found(Record(1), many, ("id",)))


def test_a_place_is_read_as_it_was_kept(tmp_path: Path) -> None:
    place = replace(Place(3, ("a", "b"), ("1", "x"), NOW), verified_until=LATER, pass_rows=7)
    folder = places.folder_of(tmp_path, "s")
    assert places.read(folder, "t") is None
    places.write(folder, "t", place)
    assert places.read(folder, "t") == place
    places.forget(folder, set())
    assert places.read(folder, "t") is None


def test_a_place_of_another_version_is_begun_anew(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('{"generation": 1, "older": true}')
    assert places.read(tmp_path, "t") is None
