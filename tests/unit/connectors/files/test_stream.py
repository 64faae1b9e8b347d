"""The change stream of files keeps a copy equal to the folder, for any change of files and any restart."""

import datetime as dt
import gzip
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import xlsxwriter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet
from tests.support.files_copy import Copy, in_folder

from zcbus.connectors.errors import AccessDenied, SourceUnavailable, TableMissing, TableRefused
from zcbus.connectors.files.folder import FILE, RECORD
from zcbus.connectors.localfiles.connector import connector
from zcbus.connectors.localfiles.spec import LocalFilesOptions
from zcbus.connectors.polling import rounds
from zcbus.kit.clock import now_ms
from zcbus.model.changes import ChangeFrame
from zcbus.model.position import START


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZCBUS_FILES_DIR", str(tmp_path))
    made = tmp_path / "t" / "in" / "orders"
    made.mkdir(parents=True)
    return made


def options(**given_: Any) -> LocalFilesOptions:
    return LocalFilesOptions(folder="in", tenant="t", rest=0, **given_)


def put(path: Path, records: list[str]) -> None:
    """By another file's name, as who copies with care does."""
    made = path.with_name(f".{path.name}")
    made.write_text("id,note\n" + "".join(f"{one},n {one}\n" for one in records), "utf-8")
    made.replace(path)


NAMES = st.sampled_from(["a.csv", "b.csv", "sub/c.csv"])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), NAMES, st.integers(0, 30)),
        st.tuples(st.just("remove"), NAMES, st.just(0)),
        st.tuples(st.just("follow"), st.just(""), st.integers(1, 4)),
        st.tuples(st.just("restart"), st.just(""), st.integers(0, 3)),
        st.tuples(st.just("lose"), st.just(""), st.integers(1, 3)),
    ),
    max_size=12,
)


@pytest.mark.wide
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_a_copy_becomes_equal_through_restarts(folder: Path, steps: list[tuple[str, str, int]]) -> None:
    for path in folder.rglob("*.csv"):
        path.unlink()
    put(folder / "keep.csv", ["1"])
    chosen = options(removed="delete")
    copy = Copy(chosen)
    stream = copy.open()
    copy.rows = in_folder(chosen)
    number = 0
    for what, name, count in steps:
        if what == "put":
            number += 1
            (folder / name).parent.mkdir(exist_ok=True)
            put(folder / name, [f"{number}-{one}" for one in range(count)])
        elif what == "remove":
            (folder / name).unlink(missing_ok=True)
        elif what == "follow":
            stream._next_round = 0.0
            copy.follow(stream, count)
        elif what == "restart":
            stream._next_round = 0.0
            copy.follow(stream, count)
            stream = copy.open()
        else:  # frames that never became durable
            stream._next_round = 0.0
            for _ in range(count):
                stream.read(0.0)
            stream = copy.open()
    for _ in range(2):
        stream._next_round = 0.0
        copy.follow(stream)
    assert copy.rows == in_folder(chosen)


def test_existing_files_are_not_published(folder: Path) -> None:
    put(folder / "a.csv", ["1", "2"])
    copy = Copy(options())
    stream = copy.open()
    copy.follow(stream)
    assert copy.rows == {}
    put(folder / "b.csv", ["3"])
    stream._next_round = 0.0
    copy.follow(stream)
    assert [row["note"] for row in copy.rows.values()] == ["n 3"]


def test_rows_read_after_a_snapshot_have_later_positions_after_any_pause(folder: Path) -> None:
    """Else a load would take it for a part of the image, and skip it."""
    put(folder / "a.csv", ["1"])
    copy = Copy(options())
    copy.position = rounds.beginning(now_ms() - 5 * 3600 * 1000, START)
    copy.open()
    with copy.source.open_snapshot() as image:
        put(folder / "b.csv", ["2"])
        frames = [frame for frame in copy.open().read(5.0) if isinstance(frame, ChangeFrame)]
    assert frames
    assert all(frame.last_position > image.position for frame in frames)


def test_records_of_removed_files_stay_by_default(folder: Path) -> None:
    put(folder / "a.csv", ["1"])
    put(folder / "b.csv", ["2"])
    for removed, left in (("keep", 2), ("delete", 1)):
        put(folder / "b.csv", ["2"])
        copy = Copy(options(removed=removed))
        stream = copy.open()
        copy.rows = in_folder(options())
        (folder / "b.csv").unlink()
        copy.follow(stream)
        assert len(copy.rows) == left


def test_a_file_that_grows_is_read_from_where_it_was(folder: Path) -> None:
    path = folder / "log.csv"
    path.write_text("id,note\n1,a\n2,")
    copy = Copy(options(growing=True))
    stream = copy.open()
    counts: list[int] = []
    for text, rows in (("b\n3,c\n", 2), ("4,d", 0), ("d\n", 1)):
        before = len(copy.rows)
        with path.open("a") as file:
            file.write(text)
        stream._next_round = 0.0
        copy.follow(stream)
        counts.append(len(copy.rows) - before)
        assert counts[-1] == rows
        if rows == 2:
            stream = copy.open()  # what is not durable yet is published again
    assert {row[RECORD]: row["note"] for row in copy.rows.values()} == {"2": "b", "3": "c", "4": "dd"}
    path.write_text("id,note\n9,z\n")  # written again
    stream._next_round = 0.0
    copy.follow(stream)
    assert {row[RECORD]: row["note"] for row in copy.rows.values()} == {"1": "z"}


def test_a_new_column_joins_and_one_that_went_stops_after_a_restart(folder: Path) -> None:
    put(folder / "a.csv", ["1"])
    copy = Copy(options())
    stream = copy.open()
    (folder / "b.csv").write_text("id,extra\n2,x\n")
    copy.follow(stream)
    (row,) = copy.rows.values()
    assert row == {FILE: "orders/b.csv", RECORD: "1", "id": "2", "note": None, "extra": "x"}
    copy.open()
    (folder / "a.csv").unlink()
    with pytest.raises(TableRefused) as refused:
        copy.open()
    assert refused.value.facts["reason"] == "schema-changed"
    (folder / "b.csv").unlink()
    with pytest.raises(TableMissing):
        copy.open()


@pytest.mark.parametrize(
    ("data", "types", "where"),
    [
        (b"id\n1\nx\n", "id bigint", "record 2"),
        (b"id,note\n1\n", "", "record 1"),
        (b"id\n\xff\n", "", "bad.csv"),
        (b"id\n1e5\n1.234\n", "id decimal(8,2)", "record 2"),
    ],
)
def test_files_other_than_declared_stop_the_table_with_their_place(
    folder: Path, data: bytes, types: str, where: str
) -> None:
    (folder / "a.csv").write_text("id\n1\n")
    copy = Copy(options(types=types))
    stream = copy.open()
    (folder / "bad.csv").write_bytes(data)
    with pytest.raises(TableRefused) as refused:
        copy.follow(stream)
    assert refused.value.facts["reason"] == "file-unreadable"
    assert where in str(refused.value.facts["detail"])
    assert "bad.csv" in str(refused.value.facts["detail"])


def test_packed_files_and_declared_types(folder: Path) -> None:
    types = "id bigint, orders.price decimal(10,2), ok boolean, at timestamp, day date, f double, doc json"
    path = folder / "x.csv.gz"
    with gzip.open(path, "wt") as file:
        file.write("id,price,ok,at,day,f,doc\n+007, 1.5 ,YES,2026-01-02T03:04:05.120,2026-02-28,1e3,")
        file.write('"{""a"": 1}"\n')
    (row,) = in_folder(options(types=types)).values()
    assert list(row.values())[2:] == ["7", "1.50", "t", "2026-01-02 03:04:05.12", "2026-02-28", "1000", '{"a": 1}']
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(TableRefused):
        in_folder(options(types=types))


def test_a_file_that_was_just_written_waits(folder: Path) -> None:
    put(folder / "a.csv", ["1"])
    chosen = LocalFilesOptions(folder="in", tenant="t", rest=3600)
    with pytest.raises(SourceUnavailable):
        in_folder(chosen)


def test_links_and_hidden_files_are_ignored(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("id\n1\n")
    (folder / "link.csv").symlink_to(secret)
    (folder / "up").symlink_to(tmp_path)
    (folder / ".hidden.csv").write_text("id\n1\n")
    with pytest.raises(TableMissing):
        in_folder(options())
    with pytest.raises(AccessDenied):
        connector().discoverer(LocalFilesOptions(folder="../in", tenant="t")).tables()


@pytest.mark.wide
def test_workbooks_are_followed_together_with_texts(folder: Path) -> None:
    def write(name: str, *dates: dt.date) -> None:
        with xlsxwriter.Workbook(folder / name, {"default_date_format": "yyyy-mm-dd"}) as book:
            book.add_worksheet("notes").write(0, 0, "not read")
            book.add_worksheet("data").write_row(0, 0, ["id", "made"])
            for number, date in enumerate(dates, 1):
                book.get_worksheet_by_name("data").write_row(number, 0, [number, date])

    (folder / "b.csv").write_text("id,made\n7,2026-03-04\n")
    write("a.xlsx", dt.date(2026, 1, 2), dt.date(2026, 1, 3))
    chosen = options(sheet="data", types="id bigint, made date")
    copy = Copy(chosen)
    stream = copy.open()
    copy.rows = in_folder(chosen)
    values = [tuple(row.values()) for _, row in sorted(copy.rows.items())]
    assert values == [
        ("orders/a.xlsx", "1", "1", "2026-01-02"),
        ("orders/a.xlsx", "2", "2", "2026-01-03"),
        ("orders/b.csv", "1", "7", "2026-03-04"),
    ]
    write("a.xlsx", dt.date(2026, 5, 6))
    stream._next_round = 0.0
    copy.follow(stream)
    stream.__exit__()
    assert copy.rows == in_folder(chosen)
    assert len(copy.rows) == 2


def test_parquet_files_have_types_and_must_agree(folder: Path) -> None:
    def write(name: str, price: Any) -> None:
        parquet.write_table(pa.table({"id": [7], "price": price, "body": [b"x"]}), folder / name)

    write("a.parquet", pa.array([Decimal("1.5")], pa.decimal128(10, 2)))
    copy = Copy(options())
    stream = copy.open()
    write("b.parquet", pa.array([Decimal("2")], pa.decimal128(10, 2)))
    (folder / "c.csv").write_text("id,price\n8,3\n")
    with pytest.raises(TableRefused):
        copy.follow(stream)
    (folder / "c.csv").unlink()
    stream = copy.open()
    stream._next_round = 0.0
    copy.follow(stream)
    assert [list(row.values())[2:] for row in copy.rows.values()] == [["7", "2.00", b"x"]]
