"""A public sample database, not one of our own making, in both directions, compared column by column."""

from typing import Any

import pytest
from tests.integration.engine.running import Link, wait_until
from tests.servers import chinook
from tests.servers.base import Server
from tests.servers.maven import ServerNotAvailable

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "mariadb_server"), ("mariadb_server", "postgres_server")]

CHANGES = (
    """UPDATE "Track" SET "UnitPrice" = "UnitPrice" + 0.10, "Composer" = NULL WHERE "GenreId" = 3""",
    """DELETE FROM "PlaylistTrack" WHERE "PlaylistId" IN (1, 8)""",
    """INSERT INTO "Artist" VALUES (9001, '周杰倫 ''n'' Zoë \\ 😀')""",
    """UPDATE "Album" SET "ArtistId" = 9001 WHERE "AlbumId" < 5""",
    """UPDATE "Employee" SET "ReportsTo" = 2 WHERE "EmployeeId" > 3""",
    """UPDATE "PlaylistTrack" SET "PlaylistId" = 2 WHERE "PlaylistId" = 5""",
    """DELETE FROM "InvoiceLine" WHERE "InvoiceId" < 40""",
    """DELETE FROM "Invoice" WHERE "InvoiceId" < 40""",
)


def quoted(server: Server, name: str) -> str:
    return f'"{name}"' if server.kind == "postgresql" else f"`{name}`"


def columns(server: Server, database: str, table: str) -> list[str]:
    schema = "public" if server.kind == "postgresql" else database
    query = (
        "SELECT column_name FROM information_schema.columns WHERE table_schema = %s AND table_name = %s "
        "ORDER BY ordinal_position"
    )
    return [str(row[0]) for row in server.rows(query, database, (schema, table))]


def rows(server: Server, database: str, table: str, names: list[str]) -> list[tuple[Any, ...]]:
    chosen = ", ".join(quoted(server, name) for name in names)
    order = ", ".join(quoted(server, name) for name in chinook.TABLES[table].split(","))
    return server.rows(f"SELECT {chosen} FROM {quoted(server, table)} ORDER BY {order}", database)


def differences(link: Link) -> dict[str, str]:
    """By table, in which columns its rows differ; {}: both sides are equal."""
    found = {}
    for table in chinook.TABLES:
        names = columns(link.source, link.source_database, table)
        if names != columns(link.target, link.target_database, table):
            found[table] = "its columns"
            continue
        left = rows(link.source, link.source_database, table, names)
        right = rows(link.target, link.target_database, table, names)
        if left != right:
            sides = zip(zip(*left, strict=True), zip(*right, strict=True), strict=False)
            unequal = [name for name, (one, other) in zip(names, sides, strict=False) if one != other]
            found[table] = f"{len(left)} and {len(right)} rows, {unequal}"
    return found


@pytest.mark.wide
@pytest.mark.soak(but=["mariadb-postgres"])
def test_chinook(link: Link) -> None:
    try:
        chinook.create(link.source, link.source_database)
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))
    link.tables |= {table: {} for table in chinook.TABLES}
    link.set_tasks()
    link.start()
    for table in link.tables:
        link.wait_for_state(table, "incremental-running")
    assert link.subscriber.reports["PlaylistTrack"]["rows_loaded"] == 8715
    assert not differences(link)
    with link.source.connect(link.source_database) as connection, connection.cursor() as cursor:
        if link.source.kind == "mysql":
            cursor.execute("SET SESSION sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'")
        for statement in CHANGES:
            cursor.execute(statement)
        connection.commit()
    wait_until(lambda: not differences(link), 60, lambda: f"{differences(link)}\n{link.describe()}")
