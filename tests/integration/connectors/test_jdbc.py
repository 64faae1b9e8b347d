"""Connections by JDBC drivers: what the test of a connection finds, and what ends a connection."""

from dataclasses import replace

import pytest

from tests.servers.jdbc import DriversFolder, H2Server
from zcbus.connectors.errors import SourceUnavailable
from zcbus.connectors.h2.dialect import H2_DIALECT
from zcbus.connectors.jdbc.connection import Connection
from zcbus.connectors.registry import connector

pytestmark = pytest.mark.server


def found(server: H2Server, **changes: object) -> list[tuple[str, bool, str]]:
    """Checks with their results and advices."""
    options = replace(server.options(), **changes)
    return [(one.item, one.ok, one.advice) for one in connector("h2").tester().test(options, "source")]


PASSED = [("reachable", True, ""), ("java", True, ""), ("driver", True, "")]


def test_a_usable_connection_passes_every_check(h2_server: H2Server) -> None:
    assert found(h2_server) == [*PASSED, ("login", True, ""), ("version", True, "")]


@pytest.mark.parametrize(
    ("changes", "advice"),
    [({"password": "wrong"}, "account"), ({"database": "absent"}, "database")],
    ids=["password", "database"],
)
def test_a_refused_login_names_its_reason(h2_server: H2Server, changes: dict[str, object], advice: str) -> None:
    assert found(h2_server, **changes) == [*PASSED, ("login", False, advice)]


def test_a_missing_driver_lists_those_that_there_are(h2_server: H2Server, drivers_folder: DriversFolder) -> None:
    options = replace(h2_server.options(), driver="other.jar")
    failed = connector("h2").tester().test(options, "source")[-1]
    assert (failed.item, failed.ok, failed.advice) == ("driver", False, "driver")
    assert str(drivers_folder.folder) in failed.detail
    assert "h2" in failed.detail


def test_a_closed_port_is_reported_before_java_starts(h2_server: H2Server) -> None:
    assert found(h2_server, port=1) == [("reachable", False, "address")]


def test_an_interrupted_connection_ends_its_calls(h2_server: H2Server) -> None:
    with Connection(H2_DIALECT, h2_server.options(), "source") as connection:
        assert connection.rows("SELECT 1") == [("1",)]
        connection.interrupt()
        with pytest.raises(SourceUnavailable):
            connection.rows("SELECT 2")
