"""What a line of a log holds, and where it goes."""

import json
import threading
from collections.abc import Iterator
from contextvars import copy_context
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from zcbus.kit.log_file import RotatingLog
from zcbus.kit.logging import configure_logging, get_logger, logged_with, set_log_level


@pytest.fixture
def log(capsys: pytest.CaptureFixture[str]) -> Any:
    """Made before anything is configured, as the loggers of modules are."""
    logger = get_logger("test")
    configure_logging()
    return logger


@pytest.fixture
def file(log: Any, tmp_path: Path) -> Iterator[Path]:
    """What is logged goes there too."""
    log_file = RotatingLog(tmp_path / "log")
    configure_logging(file=log_file)
    yield tmp_path / "log"
    configure_logging()
    log_file.close()


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Any:
    """What was written to standard error since the last look, a line each."""

    def read() -> list[dict[str, Any]]:
        captured = capsys.readouterr()
        assert captured.out == ""
        return [json.loads(line) for line in captured.err.splitlines()]

    return read


def test_a_line_says_what_who_when_and_how_grave(log: Any, lines: Any) -> None:
    log.bind(service="s-1").warning("too slow", milliseconds=7, table="表")
    (line,) = lines()
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "component": "test",
        "service": "s-1",
        "milliseconds": 7,
        "table": "表",
        "event": "too slow",
        "level": "warning",
    }


def test_a_bound_field_stays_with_its_own_logger(log: Any, lines: Any) -> None:
    log.bind(service="s-1")
    log.info("plain")
    (line,) = lines()
    assert "service" not in line


@pytest.mark.parametrize("name", ["password", "newPassword", "client_secret", "token", "Authorization", "private_key"])
def test_a_secret_is_taken_out(log: Any, lines: Any, name: str) -> None:
    log.info("given", **{name: "hidden-1"})
    (line,) = lines()
    assert line[name] == "***"


def test_an_error_is_written_with_where_it_came_from(log: Any, lines: Any) -> None:
    try:
        raise ValueError("no such thing")
    except ValueError as error:
        log.error("failed", exc_info=error)
        log.exception("failed again")
    first, second = lines()
    for line in (first, second):
        assert line["exception"].startswith("Traceback")
        assert line["exception"].endswith("ValueError: no such thing")
        assert "test_logging.py" in line["exception"]
        assert "exc_info" not in line
        assert line["level"] == "error"


def test_values_that_are_not_json_are_logged_as_their_repr(log: Any, lines: Any) -> None:
    log.info("found", place=Path("/tmp"), names={"only"})
    (line,) = lines()
    assert line["place"] == "PosixPath('/tmp')"
    assert line["names"] == "{'only'}"


@pytest.mark.parametrize(
    ("least", "written"),
    [
        ("debug", ["debug", "info", "warning", "error"]),
        ("INFO", ["info", "warning", "error"]),
        ("error", ["error"]),
    ],
)
def test_the_level_decides_also_for_loggers_in_use(log: Any, lines: Any, least: str, written: list[str]) -> None:
    log.info("used")
    lines()
    set_log_level(least)
    for level in ("debug", "info", "warning", "error"):
        getattr(log, level)("said")
    assert [line["level"] for line in lines()] == written


def test_lines_of_a_block_carry_its_fields_in_threads_that_take_the_context_along(log: Any, lines: Any) -> None:
    with logged_with(request_id="r-1"), logged_with(user="u"):
        log.info("inside")
        thread = threading.Thread(target=copy_context().run, args=(log.info, "beside"))
        thread.start()
        thread.join()
        log.info("own", request_id="mine")
    log.info("behind")
    logged = [(line["event"], line.get("request_id"), line.get("user")) for line in lines()]
    assert logged == [("inside", "r-1", "u"), ("beside", "r-1", "u"), ("own", "mine", "u"), ("behind", None, None)]


def test_a_file_gets_every_line_too(log: Any, lines: Any, file: Path) -> None:
    log.info("kept")
    assert [line["event"] for line in lines()] == ["kept"]
    (kept,) = file.read_text("utf-8").splitlines()
    assert json.loads(kept)["event"] == "kept"


def test_text_that_is_no_text_stops_no_process(log: Any, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # As the interpreter opens standard error.
    monkeypatch.setattr("sys.stderr", TextIOWrapper(BytesIO(), "utf-8", "backslashreplace"))
    log.info("half of a pair: \ud800")
    assert "half of a pair: \\ud800" in file.read_text("utf-8")


def test_lines_of_many_threads_stay_whole(log: Any, lines: Any) -> None:
    def write(number: int) -> None:
        for _ in range(50):
            log.info("x" * 3000, number=number)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(lines()) == 200
