"""A password that is kept in a file is taken again by each connection to a real server."""

from pathlib import Path

import pytest
from tests.servers.base import Server

from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.registry import connector
from zcbus.engine.connections import options_of, registered
from zcbus.engine.requests.databases import test_connection as answer_test
from zcbus.kit.secret_references import ReferenceMissing
from zcbus.protocol import requests
from zcbus.protocol.base import Connection

pytestmark = pytest.mark.server

USERS = {
    "postgres_server": ("CREATE USER kept PASSWORD '{}'", "ALTER USER kept PASSWORD '{}'", "DROP USER kept"),
    "mariadb_server": (
        "CREATE USER kept IDENTIFIED BY '{}'; GRANT ALL ON *.* TO kept",
        "ALTER USER kept IDENTIFIED BY '{}'",
        "DROP USER kept",
    ),
}


@pytest.mark.parametrize("name", USERS)
def test_a_changed_password_counts_from_the_next_connection(
    name: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server: Server = request.getfixturevalue(name)
    create, change, drop = USERS[name]
    monkeypatch.setenv("ZCBUS_REFERENCE_FILES", str(tmp_path))
    given = server.options(server.fresh_database("kept"))
    reference = {"user": "kept", "password": "${file:db/password}"}
    asked = Connection(kind=given.kind, options={**given.document(), **reference}, tenant="t")
    with pytest.raises(ReferenceMissing, match="db/password"):
        answer_test(requests.TestConnection(connection=asked, side="source"), registered)
    (tmp_path / "db").mkdir()
    kept = tmp_path / "db" / "password"
    for statement in create.format("first-1").split("; "):
        server.execute(statement)
    try:
        kept.write_text("first-1\n")
        options, discoverer = options_of(asked), connector(given.kind).discoverer
        checks = answer_test(requests.TestConnection(connection=asked, side="source"), registered).checks
        assert checks[0].ok
        assert "first-1" not in f"{checks} {options!r} {asked!r}"
        with discoverer(options) as running:
            server.execute(change.format("second-2"))
            assert running.schemas()
        with pytest.raises(AccessDenied) as raised, discoverer(options) as refused:
            refused.schemas()
        assert "first-1" not in str(raised.value.facts)
        kept.write_text("second-2\n")
        with discoverer(options) as again:
            assert again.schemas()
    finally:
        server.execute(drop)
