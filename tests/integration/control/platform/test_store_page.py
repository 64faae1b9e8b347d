"""/druid/index.html: figures of the store for those who may see what concerns the whole platform."""

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ControlPlane, control_plane
from zcbus.control.store.statement_figures import MAX_STATEMENTS, OTHERS, StatementFigures, figures_of

FIGURES = "/druid/figures.json"


def asked(plane: ControlPlane, token: str, **headers: str) -> tuple[int, dict[str, Any]]:
    answer = plane.client.get(FIGURES, headers={"ZCBUS-TOKEN": token, **headers})
    return answer.status_code, answer.json()


def test_connections_and_statements_are_counted(plane: ControlPlane) -> None:
    token = plane.sign_in()
    with plane.services.database.read() as connection:
        connection.execute(sa.text("SELECT 'counted' AS word"))
        with pytest.raises(sa.exc.DBAPIError):
            connection.execute(sa.text("SELECT nothing FROM nowhere_at_all"))
    status, found = asked(plane, token)
    assert (status, found["store"]) == (200, plane.services.database.dialect)
    assert found["pool"].keys() == {"size", "inUse", "idle"}
    # The page has the slowest ones only.
    known = figures_of(plane.services.database.engine).slowest(MAX_STATEMENTS)
    by_text = {one.statement: one for one in known}
    assert by_text["SELECT 'counted' AS word"].executions >= 1
    assert by_text["SELECT nothing FROM nowhere_at_all"].errors >= 1
    assert {one["statement"] for one in found["statements"]} & by_text.keys()
    totals = [one["total_seconds"] for one in found["statements"]]
    assert totals == sorted(totals, reverse=True)
    page = plane.client.get("/druid/index.html")
    assert 'src="/druid/index.js"' in page.text
    assert "SELECT" not in page.text


def test_figures_are_for_administrators_of_the_platform(plane: ControlPlane) -> None:
    add_user(plane, "south", "administrator", "south")
    assert asked(plane, "")[0] == 401
    assert asked(plane, "made-up")[0] == 401
    assert asked(plane, plane.sign_in("south"))[1]["code"] == 40103


def test_figures_are_shown_where_metrics_are(tmp_path: Path) -> None:
    for shown, own, passed_on in (("off", 404, 404), ("local", 200, 404), ("open", 200, 200)):
        with control_plane(tmp_path / shown, metrics=shown) as plane:
            token = plane.sign_in()
            assert asked(plane, token)[0] == own
            assert asked(plane, token, **{"x-forwarded-for": "192.0.2.1"})[0] == passed_on


def test_endless_different_statements_are_counted_together() -> None:
    figures = StatementFigures()
    for number in range(MAX_STATEMENTS + 5):
        figures.note(f"SELECT {number}", 0.001)
    figures.note("SELECT 0", 2.0, failed=True)
    slowest, others, *_ = figures.slowest(3)
    assert (slowest.statement, slowest.executions, slowest.errors) == ("SELECT 0", 2, 1)
    assert (others.statement, others.executions) == (OTHERS, 5)
