"""Servers in other time zones; names in any case, in any script and with quotes."""

from collections.abc import Iterator

import pytest
from tests.integration.engine.running import Link, on_source, schema_of, wait_until
from tests.servers.base import Server

from zcbus.model.states import DdlMode
from zcbus.protocol.base import TableRef

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "mariadb_server"), ("mariadb_server", "postgres_server")]
MOMENTS = {"postgresql": "extract(epoch FROM moment)::bigint", "mysql": "timestampdiff(second, '1970-01-01', moment)"}
NOON_OF_SHANGHAI = 1_782_878_400


@pytest.fixture
def zones(link: Link) -> Iterator[None]:
    """The source keeps the time of Shanghai, the target that of New York."""
    set_zone(link.source, link.source_database, "Asia/Shanghai", "+08:00")
    set_zone(link.target, link.target_database, "America/New_York", "-04:00")
    yield
    for server, database in ((link.source, link.source_database), (link.target, link.target_database)):
        set_zone(server, database, "UTC", "SYSTEM")


def set_zone(server: Server, database: str, name: str, offset: str) -> None:
    if server.kind == "postgresql":
        server.execute(f"ALTER DATABASE {database} SET timezone TO '{name}'")
    else:
        server.execute(f"SET GLOBAL time_zone = '{offset}'")


@pytest.mark.usefixtures("zones")
def test_moments_stay_the_same_between_time_zones(link: Link) -> None:
    kind = "timestamptz" if link.source.kind == "postgresql" else "timestamp NULL"
    wall = "timestamp" if link.source.kind == "postgresql" else "datetime"
    on_source(
        link,
        f"CREATE TABLE visits (id integer PRIMARY KEY, moment {kind}, wall {wall})",
        "INSERT INTO visits VALUES (1, '2026-07-01 12:00:00', '2026-07-01 12:00:00')",
    )
    link.tables["visits"] = {}
    link.set_tasks()
    link.start()
    link.wait_for_state("visits", "incremental-running")
    on_source(link, "INSERT INTO visits VALUES (2, '2026-07-01 12:00:00', '2026-07-01 12:00:00')")
    expected = [(number, NOON_OF_SHANGHAI, "2026-07-01 12:00:00") for number in (1, 2)]
    wait_until(lambda: visits(link) == expected, 30, lambda: f"{visits(link)}\n{link.describe()}")


def visits(link: Link) -> list[tuple[int, int, str]]:
    """Ids, the moments in seconds since 1970 in UTC, and the times on the wall."""
    text = "to_char(wall, 'YYYY-MM-DD HH24:MI:SS')" if link.target.kind == "postgresql" else "wall"
    query = f"SELECT id, {MOMENTS[link.target.kind]}, {text} FROM visits ORDER BY id"
    return [(int(i), int(moment), str(wall)) for i, moment, wall in link.target.rows(query, link.target_database)]


def test_tables_of_one_name_in_several_databases_of_a_server(link: Link) -> None:
    own, other = schema_of(link.source, link.source_database), second_database(link)
    target = schema_of(link.target, link.target_database)
    for number, schema in enumerate((own, other)):
        on_source(link, f"CREATE TABLE {schema}.t (id integer PRIMARY KEY, a integer)")
        on_source(link, f"INSERT INTO {schema}.t VALUES (1, {number})")
        link.tables[f"t{number}"] = {
            "source": TableRef(schema_name=schema, table="t"),
            "target": TableRef(schema_name=target, table=f"t{number}"),
            "ddl": DdlMode.FOLLOW,
        }
    link.set_tasks()
    link.start()
    for name in link.tables:
        link.wait_for_state(name, "incremental-running")
    on_source(
        link,
        f"ALTER TABLE {other}.t ADD COLUMN b integer DEFAULT 7",
        f"UPDATE {other}.t SET a = 5",
        f"INSERT INTO {own}.t VALUES (2, 20)",
        f"DELETE FROM {own}.t WHERE id = 1",
    )
    expected = [[(2, 20)], [(1, 5, 7)]]
    wait_until(lambda: [everything(link, name) for name in link.tables] == expected, 30, link.describe)


def second_database(link: Link) -> str:
    """Another place for tables than the link's own: a database, or a schema where a link reads one database."""
    if link.source.kind == "mysql":
        return link.source.fresh_database("other")
    on_source(link, "CREATE SCHEMA other")
    return "other"


def everything(link: Link, table: str) -> list[tuple[int, ...]]:
    return link.target.rows(f"SELECT * FROM {table} ORDER BY id", link.target_database)


KEY, VALUE = "Order ID", "金额'\"`"


def test_names_in_any_case_and_script_and_with_quotes(link: Link) -> None:
    names = ["Orders Of 2026", "订单", 'the "best" `rows`']
    for number, name in enumerate(names):
        table, key, value = (quoted(link.source, part) for part in (name, KEY, VALUE))
        on_source(link, f"CREATE TABLE {table} ({key} integer PRIMARY KEY, {value} integer)")
        on_source(link, f"INSERT INTO {table} VALUES (1, 10)")
        link.tables[name] = {"published": f"p-{number}"}  # the platform's ids are free of what names may hold
    link.set_tasks()
    link.start()
    for name in names:
        link.wait_for_state(name, "incremental-running")
        table, key = quoted(link.source, name), quoted(link.source, KEY)
        on_source(link, f"INSERT INTO {table} VALUES (2, 20)", f"UPDATE {table} SET {key} = 3 WHERE {key} = 1")
    wait_until(lambda: all(rows(link, name) == [(2, 20), (3, 10)] for name in names), 60, link.describe)


def rows(link: Link, name: str) -> list[tuple[int, int]]:
    table, key, value = (quoted(link.target, part) for part in (name, KEY, VALUE))
    found = link.target.rows(f"SELECT {key}, {value} FROM {table} ORDER BY 1", link.target_database)
    return [(first, second) for first, second in found]


def quoted(server: Server, name: str) -> str:
    quote = '"' if server.kind == "postgresql" else "`"
    return quote + name.replace(quote, quote * 2) + quote
