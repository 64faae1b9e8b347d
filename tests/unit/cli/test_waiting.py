"""Waiting for a link's state: only what was measured counts."""

from collections.abc import Iterator
from typing import Any, cast

from zcbus.cli.http import Api
from zcbus.cli.link import wait_for_state


class _Answers:
    """Gives one status after the other; the last stays."""

    def __init__(self, *statuses: dict[str, Any]) -> None:
        self._statuses: Iterator[dict[str, Any]] = iter(statuses)
        self.given: list[dict[str, Any]] = []

    def call(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        self.given.append(next(self._statuses))
        return self.given[-1]


def _status(state: str, stale: bool) -> dict[str, Any]:
    return {"state": state, "stale": stale, "tables": [{"state": state}]}


def test_the_last_report_of_a_silent_agent_does_not_end_the_wait() -> None:
    api = _Answers(_status("incremental-running", stale=True), _status("incremental-running", stale=False))
    status, reached = wait_for_state(cast(Api, api), "shop", "incremental-running", timeout=30)
    assert reached
    assert not status["stale"]
    assert len(api.given) == 2


def test_an_agent_that_stays_silent_never_reaches_the_state() -> None:
    api = _Answers(_status("incremental-running", stale=True))
    _, reached = wait_for_state(cast(Api, api), "shop", "incremental-running", timeout=-1)
    assert not reached
