"""Which part of a log is read, and that it is a log."""

from pathlib import Path

import pytest

from zcbus.agent.logs import LogAbsent, log_path, read_log, search_log
from zcbus.kit.log_file import RotatingLog, newest_first
from zcbus.protocol.requests import ReadLog, SearchLog


@pytest.mark.parametrize("service", ["..", "../agent", "a/b", "", "absent"])
def test_only_log_files_are_read(tmp_path: Path, service: str) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "agent.log").write_text("secret")
    with pytest.raises(LogAbsent):
        read_log(tmp_path, ReadLog(service=service))


def test_the_last_lines_then_what_comes(tmp_path: Path) -> None:
    path = log_path(tmp_path, "s1")
    path.parent.mkdir()
    path.write_bytes("eins\nzwei\ndrei ü\nhal".encode())
    part = read_log(tmp_path, ReadLog(service="s1", lines=2))
    assert (part.text, part.more) == ("drei ü\nhal", False)
    path.write_bytes(path.read_bytes() + b"b\n")
    assert read_log(tmp_path, ReadLog(service="s1", from_byte=part.next)).text == "b\n"
    path.write_bytes(b"new\n")
    assert read_log(tmp_path, ReadLog(service="s1", from_byte=part.next)).text == "new\n"


def test_a_long_log_comes_in_parts_that_end_with_lines(tmp_path: Path) -> None:
    path = log_path(tmp_path, "s1")
    path.parent.mkdir()
    whole = "".join(f"{number:06} äöü\n" for number in range(60_000))
    path.write_text(whole, "utf-8")
    read, place, more = "", 0, True
    while more:
        part = read_log(tmp_path, ReadLog(service="s1", from_byte=place))
        read, place, more = read + part.text, part.next, part.more
        assert part.text.endswith("\n")
    assert read == whole


def test_a_log_is_bounded_and_its_lines_stay_whole(tmp_path: Path) -> None:
    log = RotatingLog(tmp_path / "s1.log", most_bytes=100, rotated_files=2)
    for number in range(100):
        line = f"line {number:03}\n".encode()
        log.write(line[:4])
        log.write(line[4:])
    log.close()
    files = newest_first(tmp_path / "s1.log")
    assert [file.name for file in files] == ["s1.log", "s1.log.1", "s1.log.2"]
    assert all(file.stat().st_size <= 110 for file in files)
    lines = [line for file in reversed(files) for line in file.read_text().splitlines()]
    assert lines == [f"line {number:03}" for number in range(100 - len(lines), 100)]


def test_a_search_goes_through_older_files_and_knows_levels(tmp_path: Path) -> None:
    log = RotatingLog(log_path(tmp_path, "s1"), most_bytes=400, rotated_files=3)
    for number in range(20):
        level = "warning" if number % 5 == 0 else "info"
        log.write(f'{{"event": "Turn {number}", "level": "{level}"}}\n'.encode())
    log.write(b"Traceback of turn 20\n")
    log.close()
    assert len(newest_first(log_path(tmp_path, "s1"))) > 1
    warned = search_log(tmp_path, SearchLog(service="s1", text="turn", level="warning"))
    assert [line.split("urn ")[1].split('"')[0] for line in warned.lines] == ["0", "5", "10", "15", "20"]
    newest = search_log(tmp_path, SearchLog(service="s1", text="TURN", lines=3))
    assert (len(newest.lines), newest.lines[-1], newest.more) == (3, "Traceback of turn 20", True)
    with pytest.raises(LogAbsent):
        search_log(tmp_path, SearchLog(service="../s1"))
