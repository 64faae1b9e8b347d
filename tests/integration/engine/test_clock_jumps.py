"""The machine's clock is set forward and back by an hour while a link runs."""

from pathlib import Path

import pytest
from tests.integration.engine.running import Link
from tests.integration.engine.test_servers_away import expect_equal, expect_flow, run

pytestmark = [pytest.mark.server, pytest.mark.fault]
PAIRS = [("postgres_server", "mariadb_server")]

HOUR = 3600
JUMPING = """
import pathlib, time
_place, _time, _time_ns = pathlib.Path({place!r}), time.time, time.time_ns
time.time = lambda: _time() + int(_place.read_text())
time.time_ns = lambda: _time_ns() + int(_place.read_text()) * 10**9
"""
"""Each process reads its wall clock so. Nothing reads it otherwise; clocks that never jump stay as they are."""


def set_clock(place: Path, seconds: int) -> None:
    new = place.with_suffix(".new")
    new.write_text(str(seconds))
    new.replace(place)


@pytest.mark.soak
def test_changes_flow_whatever_the_clock_says(link: Link, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "offset"
    set_clock(place, 0)
    (tmp_path / "sitecustomize.py").write_text(JUMPING.format(place=str(place)))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    link.publisher.loads_by_itself = link.subscriber.loads_by_itself = True
    writer = run(link)
    for jump in (HOUR, -HOUR, HOUR, 0):
        set_clock(place, jump)
        expect_flow(link)
        expect_flow(link)
    set_clock(place, -HOUR)
    link.subscriber.kill()
    link.publisher.kill()
    link.publisher.start()
    link.subscriber.start()
    expect_flow(link)
    writer.stop()
    expect_equal(link)
    reported = {report["at"][:13] for report in link.subscriber.history}
    assert len(reported) > 2  # the clock did jump
    assert all(report["state"] == "incremental-running" for name, report in link.subscriber.reports.items() if name)
