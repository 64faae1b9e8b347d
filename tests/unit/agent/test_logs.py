"""Which part of a log is read, and that it is a log."""

from pathlib import Path

import pytest

from zcbus.agent.logs import LogAbsent, log_path, read_log
from zcbus.protocol.requests import ReadLog


@pytest.mark.parametrize("service", ["..", "../agent", "a/b", "", "absent"])
def test_nothing_but_logs_is_read(tmp_path: Path, service: str) -> None:
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
