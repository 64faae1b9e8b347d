"""What a search in a host's logs finds, and what bounds it."""

import json
import time
from pathlib import Path

import pytest

from zcbus.agent import log_search
from zcbus.agent.log_file_range import entries_between
from zcbus.agent.log_search import find_lines
from zcbus.agent.logs import log_path
from zcbus.engine.requests.watch import RequestWithdrawn, Watch
from zcbus.kit.log_file import RotatingLog, newest_first
from zcbus.protocol.log_search import FindLogLines, FoundLogLines

SECOND = 1_000_000
# 2026-11-27T00:00:00Z
BEGIN = 1_795_737_600 * SECOND


def line(second: int, event: str, level: str = "info", **facts: object) -> bytes:
    at = f"2026-11-27T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.000000Z"
    return json.dumps({**facts, "event": event, "level": level, "timestamp": at}, ensure_ascii=False).encode() + b"\n"


def write(data_dir: Path, log: str, lines: list[bytes], most_bytes: int = 1 << 30) -> None:
    file = RotatingLog(log_path(data_dir, log), most_bytes=most_bytes, rotated_files=9)
    for one in lines:
        file.write(one)
    file.close()


def find(data_dir: Path, *logs: str, since: int = 0, until: int = 86_400, **fields: object) -> FoundLogLines:
    request = FindLogLines.model_validate(
        {"logs": logs, "since_us": BEGIN + since * SECOND, "until_us": BEGIN + until * SECOND, **fields}
    )
    return find_lines(data_dir, request, Watch())


def seconds(found: FoundLogLines) -> list[int]:
    return [(entry.at_us - BEGIN) // SECOND for entry in found.entries]


def test_logs_are_merged_by_time_and_both_ends_of_a_range_can_be_had(tmp_path: Path) -> None:
    write(tmp_path, "s1", [line(at, "turn") for at in range(0, 100, 2)])
    write(tmp_path, "s2", [line(at, "turn") for at in range(1, 100, 2)])
    newest = find(tmp_path, "s1", "s2", "gone", "../s1", since=10, until=50, limit=3)
    assert (seconds(newest), [entry.log for entry in newest.entries], newest.more) == (
        [47, 48, 49],
        ["s2", "s1", "s2"],
        True,
    )
    oldest = find(tmp_path, "s1", "s2", since=10, until=50, limit=3, is_oldest_first=True)
    assert (seconds(oldest), oldest.more) == ([10, 11, 12], True)
    whole = find(tmp_path, "s1", "s2", since=10, until=50, limit=40)
    assert (seconds(whole), whole.more, whole.unread_until_us) == (list(range(10, 50)), False, None)


def test_conditions_are_about_level_text_table_and_code(tmp_path: Path) -> None:
    write(
        tmp_path,
        "s1",
        [
            line(1, "waiting", "warning", reason="connection-refused", table="shop.orders"),
            line(2, "table failed", "error", reason="table-missing", table="shop.orders_old"),
            line(3, "Größe geändert", table="shop.orders"),
            b"Traceback (most recent call last):\n  in orders\n",
            line(4, "quiet", "debug"),
        ],
    )
    assert seconds(find(tmp_path, "s1", level="warning")) == [1, 2]
    assert seconds(find(tmp_path, "s1", text="GRÖSSE")) == []
    assert seconds(find(tmp_path, "s1", text="größe GEÄNDERT")) == [3]
    assert seconds(find(tmp_path, "s1", table="orders")) == [1, 3]
    assert seconds(find(tmp_path, "s1", table="shop.orders_old")) == [2]
    assert seconds(find(tmp_path, "s1", code="table-missing")) == [2]
    assert seconds(find(tmp_path, "s1", code="table")) == []
    (crash,) = find(tmp_path, "s1", text="traceback").entries
    assert crash.text.splitlines()[1:] == ["Traceback (most recent call last):", "  in orders"]


def test_counts_are_of_all_that_matches_by_level(tmp_path: Path) -> None:
    write(tmp_path, "s1", [line(at, "turn", "error" if at % 10 == 0 else "info") for at in range(120)], 2000)
    assert len(newest_first(log_path(tmp_path, "s1"))) > 3
    found = find(tmp_path, "s1", limit=5, bucket_us=60 * SECOND)
    counts = [((count.at_us - BEGIN) // SECOND, count.level, count.count) for count in found.counts]
    assert counts == [(0, "error", 6), (0, "info", 54), (60, "error", 6), (60, "info", 54)]
    assert seconds(found) == [115, 116, 117, 118, 119]


def test_lines_without_any_time_count_as_of_the_files_last_change(tmp_path: Path) -> None:
    write(tmp_path, "s1", [b"killed\n"])
    now = time.time_ns() // 1000
    request = FindLogLines(logs=("s1",), since_us=now - 60 * SECOND, until_us=now + 60 * SECOND)
    (entry,) = find_lines(tmp_path, request, Watch()).entries
    assert (entry.text, entry.level) == ("killed", None)


def test_what_lies_before_the_range_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, "s1", [line(at, "turn " + "x" * 300) for at in range(20_000)])
    begun = time.process_time()
    found = list(entries_between(log_path(tmp_path, "s1"), BEGIN + 19_990 * SECOND, BEGIN + 30_000 * SECOND))
    assert [(entry.at_us - BEGIN) // SECOND for entry in found] == list(range(19_990, 20_000))
    few = time.process_time() - begun
    begun = time.process_time()
    assert len(list(entries_between(log_path(tmp_path, "s1"), BEGIN, BEGIN + 30_000 * SECOND))) == 20_000
    assert few < (time.process_time() - begun) / 3


def test_limits_leave_out_the_oldest_and_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "s1", [line(at, "turn") for at in range(5000)], 100_000)
    monkeypatch.setattr(log_search, "MAX_BYTES", 150_000)
    found = find(tmp_path, "s1", limit=5000)
    assert found.unread_until_us is not None
    assert seconds(found)[-1] == 4999
    assert len(found.entries) < 5000


def test_a_withdrawn_search_ends(tmp_path: Path) -> None:
    write(tmp_path, "s1", [line(at, "turn") for at in range(5000)])
    watch = Watch()
    watch.withdraw()
    request = FindLogLines(logs=("s1",), since_us=BEGIN, until_us=BEGIN + 86_400 * SECOND)
    with pytest.raises(RequestWithdrawn):
        find_lines(tmp_path, request, watch)
