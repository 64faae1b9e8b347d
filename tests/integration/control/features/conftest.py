"""A control plane with an agent and a caller."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.integration.control.features.fake_agent import FakeAgent, fake_agent
from tests.support.control_plane import ControlPlane
from zcbus.model.states import SyncState


@dataclass(frozen=True)
class Caller:
    """A signed-in user."""

    plane: ControlPlane
    token: str

    def call(self, path: str, body: Any = None, language: str = "en") -> Any:
        """The data of a call that succeeds."""
        answer = self.plane.post(path, body, self.token, language)
        assert answer.status_code == 200, answer.text
        envelope = answer.json()
        assert envelope["code"] == 200, envelope
        return envelope["data"]

    def refused(self, path: str, body: Any = None, language: str = "en") -> dict[str, Any]:
        """The envelope of a call that does not succeed."""
        envelope: dict[str, Any] = self.plane.post(path, body, self.token, language).json()
        assert envelope["code"] != 200, envelope
        return envelope

    def logged_before(self) -> Any:
        """The state before the newest change in the operation log."""
        return self._newest_logged()["before"]

    def logged_subject(self) -> Any:
        """The fields changed by the newest change in the operation log."""
        return self._newest_logged()["subject"]

    def _newest_logged(self) -> Any:
        newest = self.call("monitor/operation-log/page", {"size": 20})["records"][0]
        return self.call("monitor/operation-log/get", {"id": newest["id"]})


@pytest.fixture
def agent(plane: ControlPlane) -> Iterator[FakeAgent]:
    with fake_agent(plane) as running:
        yield running


@pytest.fixture
def admin(plane: ControlPlane) -> Caller:
    return Caller(plane, plane.sign_in())


@pytest.fixture
def running(admin: Caller, agent: FakeAgent) -> FakeAgent:
    """An agent that syncs on demand, with a link of two loaded tables that runs."""
    admin.call("sync/link/apply", {"document": document()})
    agent.rest()
    agent.run_services()
    loaded = agent.plane.clock.now()
    agent.report_tables(
        SyncState.INCREMENTAL_RUNNING,
        rows_total=10,
        rows_loaded=10,
        inserts=3,
        lag_ms=40,
        load_started_at=loaded,
        load_finished_at=loaded,
    )
    return agent


def document(**changes: Any) -> dict[str, Any]:
    """A link document as JSON."""
    side = {"host": "db.example", "port": 5432, "user": "u", "password": "secret-1"}
    return {
        "link": "shop",
        "source": {"kind": "postgresql", "database": "shop", **side},
        "target": {"kind": "mysql", "database": "copy", **side, "port": 3306},
        "tables": ["public.*", "!public.audit_log"],
        **changes,
    }
