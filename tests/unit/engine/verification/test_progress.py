"""What a verification pass over a table proves, and up to which moment."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from zcbus.engine.comparison.record import Record
from zcbus.engine.verification import progress_store
from zcbus.engine.verification.progress import (
    MAX_KEPT,
    CheckedRows,
    advanced,
    begun,
    finished,
    is_full,
    report_of,
    with_found,
)
from zcbus.engine.verification.progress_store import PassProgress
from zcbus.model.comparison import Difference, DifferenceKind, RepairState

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(minutes=1)
ROW = Difference(DifferenceKind.DIFFERENT, ("7",), {"id": "7", "v": "a"}, {"id": "7", "v": "b"}, ("v",))


def test_a_table_is_verified_until_its_pass_began() -> None:
    progress = begun(PassProgress(1), ("id",), 0, NOW)
    progress = advanced(progress, CheckedRows({}, 1, 100, ("100",)))
    assert (progress.behind, progress.verified_until) == (("100",), None)
    progress = finished(advanced(progress, CheckedRows({}, 2, 50)), True, LATER)
    assert (progress.verified_until, progress.finished_at, progress.rows_total, progress.unsettled) == (
        NOW,
        LATER,
        150,
        3,
    )


def test_a_pass_resumes_after_a_restart_but_not_by_another_key() -> None:
    progress = advanced(begun(PassProgress(1), ("id",), 0, NOW), CheckedRows({}, 0, 100, ("100",)))
    assert begun(progress, ("id",), 0, LATER) == progress
    assert begun(progress, ("name",), 0, LATER).behind == ()


def test_a_pass_with_differences_verifies_nothing_even_if_they_are_gone_at_its_end() -> None:
    before = replace(PassProgress(1), verified_until=NOW - timedelta(days=1))
    progress = advanced(begun(before, ("id",), 0, NOW), CheckedRows({ROW.key: ROW}, 0, 100, ("100",)))
    assert finished(progress, True, LATER).verified_until == before.verified_until


def test_a_request_restarts_the_pass_and_is_fulfilled_at_its_end() -> None:
    progress = advanced(begun(PassProgress(1), ("id",), 0, NOW), CheckedRows({}, 0, 100, ("100",)))
    progress = begun(progress, ("id",), 2, LATER)
    assert (progress.behind, progress.began_at, progress.asked) == ((), LATER, 0)
    assert finished(progress, True, LATER).asked == 2
    assert begun(finished(progress, True, LATER), ("id",), 2, LATER).serves == 2


def test_differences_are_reported_until_they_are_gone() -> None:
    record = with_found(Record(1), {ROW.key: ROW}, ("id",))
    shown = report_of(PassProgress(1), record, None)
    assert (shown.different, shown.missing, shown.capped, record.repair_state) == (1, 0, False, RepairState.ALLOWED)
    assert report_of(PassProgress(1), with_found(record, {}, ("id",)), None).different == 0


def test_a_full_record_takes_no_more_differences() -> None:
    many = {(str(n),): replace(ROW, key=(str(n),)) for n in range(MAX_KEPT)}
    assert is_full(with_found(Record(1), many, ("id",)))


def test_progress_is_read_as_it_was_stored(tmp_path: Path) -> None:
    progress = replace(PassProgress(3, ("a", "b"), ("1", "x"), NOW), verified_until=LATER, pass_rows=7)
    folder = progress_store.folder_of(tmp_path, "s")
    assert progress_store.read(folder, "t") is None
    progress_store.write(folder, "t", progress)
    assert progress_store.read(folder, "t") == progress
    progress_store.forget(folder, set())
    assert progress_store.read(folder, "t") is None


def test_progress_of_another_version_is_dropped(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('{"generation": 1, "older": true}')
    assert progress_store.read(tmp_path, "t") is None
