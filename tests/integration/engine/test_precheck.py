"""The pre-check against real databases: what would fail is said before anything starts."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.servers.base import Server
from tests.servers.mosquitto import MosquittoServer

from zcbus.connectors.mysql.catalog.discover import describe_layouts
from zcbus.connectors.mysql.catalog.layout import TableLayout
from zcbus.connectors.mysql.connection.session import Session
from zcbus.engine.requests import answer
from zcbus.kit.bus_settings import BusSettings
from zcbus.model.schema import TableName
from zcbus.model.states import CleanMode, LoadMode
from zcbus.protocol.answers import Findings
from zcbus.protocol.base import Connection, TableRef
from zcbus.protocol.requests import PlannedTable, Precheck
from zcbus.protocol.transforms import ColumnExpression, ColumnMask, Transform

ADVICE = {("check-failed", ""): "warning"}
"""The server of the tests keeps log for slots without a limit."""


def connection(server: Server, database: str, **secrets: str) -> Connection:
    options = server.options(database)
    return Connection.model_validate(
        {"kind": options.kind, "options": options.document(), "secrets": {**options.secrets(), **secrets}}
    )


def planned(*tables: str, schema: str = "public") -> tuple[PlannedTable, ...]:
    return tuple(PlannedTable(source=TableRef(schema_name=schema, table=table)) for table in tables)


def codes(request: Precheck, folder: Path) -> dict[tuple[str, str], str]:
    findings = answer(request, folder, BusSettings())
    assert isinstance(findings, Findings)
    return {(finding.reason.code, finding.table): finding.level for finding in findings.findings}


def test_problems_of_tables_are_found(postgres_server: Server, mariadb_server: Server, tmp_path: Path) -> None:
    source, target = postgres_server.fresh_database(), mariadb_server.fresh_database()
    postgres_server.execute(
        "CREATE TABLE good (id int PRIMARY KEY, t text); CREATE TABLE nokey (x int);"
        "CREATE TABLE taken (id int PRIMARY KEY, t text); CREATE TABLE wide (id int PRIMARY KEY, n numeric)",
        source,
    )
    mariadb_server.execute("CREATE TABLE taken (id int PRIMARY KEY, must int NOT NULL)", target)
    found = codes(
        Precheck(
            source=connection(postgres_server, source),
            target=connection(mariadb_server, target),
            tables=planned("good", "nokey", "taken", "wide", "nowhere"),
        ),
        tmp_path,
    )
    assert found[("table-without-key", "public.nokey")] == "error"
    assert found[("table-missing", "public.nowhere")] == "error"
    assert found[("target-exists", "public.taken")] == "info"
    assert found[("target-column-missing", "public.taken")] == "error"
    assert found[("target-column-required", "public.taken")] == "error"
    assert found[("stored-as-text", "public.wide")] == "info"
    assert not [key for key in found if key[1] == "public.good"]


def test_append_only_effects_are_reported_by_the_precheck(postgres_server: Server, tmp_path: Path) -> None:
    source, target = postgres_server.fresh_database(), postgres_server.fresh_database()
    postgres_server.execute(
        "CREATE TABLE notes (n int); CREATE TABLE bare (n int); CREATE TABLE keyed (id int PRIMARY KEY);"
        "ALTER TABLE notes REPLICA IDENTITY FULL",
        source,
    )
    postgres_server.execute("CREATE TABLE notes (n int PRIMARY KEY)", target)
    chosen = planned("notes", "bare", "keyed")
    found = codes(
        Precheck(
            source=connection(postgres_server, source),
            target=connection(postgres_server, target),
            tables=tuple(one.model_copy(update={"append_only": True}) for one in chosen),
        ),
        tmp_path,
    )
    assert {key: level for key, level in found.items() if key[1]} == {
        ("append-only-warned", "public.notes"): "warning",
        ("append-only-target-exists", "public.notes"): "warning",
        ("append-only-target-key", "public.notes"): "warning",
        ("append-only-warned", "public.bare"): "warning",
        ("table-refused", "public.bare"): "error",
        ("append-only-warned", "public.keyed"): "warning",
        ("append-only-table-has-key", "public.keyed"): "error",
    }


def test_dropping_an_existing_target_is_a_warning(postgres_server: Server, tmp_path: Path) -> None:
    source, target = postgres_server.fresh_database(), postgres_server.fresh_database()
    for database in (source, target):
        postgres_server.execute("CREATE TABLE t (id int PRIMARY KEY)", database)
    request = Precheck(
        source=connection(postgres_server, source),
        target=connection(postgres_server, target),
        tables=planned("t"),
        clean=CleanMode.DROP,
    )
    assert codes(request, tmp_path) == {**ADVICE, ("target-will-be-cleaned", "public.t"): "warning"}


def test_a_table_onto_itself_is_refused(postgres_server: Server, tmp_path: Path) -> None:
    database = postgres_server.fresh_database()
    postgres_server.execute("CREATE TABLE t (id int PRIMARY KEY)", database)
    here = connection(postgres_server, database)
    assert (
        codes(Precheck(source=here, target=here, tables=planned("t")), tmp_path)[("same-table", "public.t")] == "error"
    )


def test_a_wrong_password_is_one_finding_and_nothing_else_is_tried(
    postgres_server: Server, mariadb_server: Server, tmp_path: Path
) -> None:
    source, target = mariadb_server.fresh_database(), postgres_server.fresh_database()
    request = Precheck(
        source=connection(mariadb_server, source, password="wrong"),
        target=connection(postgres_server, target),
        tables=planned("t", schema=source),
    )
    assert codes(request, tmp_path) == {("check-failed", ""): "error"}


def test_cascades_that_mysql_does_not_log_are_a_warning(mariadb_server: Server, tmp_path: Path) -> None:
    source, target = mariadb_server.fresh_database(), mariadb_server.fresh_database()
    mariadb_server.execute(
        "CREATE TABLE parent (id int PRIMARY KEY);"
        "CREATE TABLE child (id int PRIMARY KEY, p int, FOREIGN KEY (p) REFERENCES parent (id) ON DELETE CASCADE)",
        source,
    )
    request = Precheck(
        source=connection(mariadb_server, source),
        target=connection(mariadb_server, target),
        tables=planned("parent", "child", schema=source),
    )
    assert codes(request, tmp_path) == {("cascades-not-logged", f"{source}.child"): "warning"}


def test_topics_whose_messages_repeat_are_a_warning(
    mosquitto_server: MosquittoServer, postgres_server: Server, tmp_path: Path
) -> None:
    target = postgres_server.fresh_database()
    options = {"topics": "a/#, b", "value": "json", "columns": "id bigint", "keys": "b: id"}
    source = mosquitto_server.options("", **options)
    request = Precheck(
        source=Connection.model_validate({"kind": "mqtt", "options": source.document()}),
        target=connection(postgres_server, target),
        tables=planned("a/#", "b", schema="topics"),
    )
    wanted = {("delivery-repeats", "topics.a/#"): "warning", ("messages-not-kept", "topics.b"): "warning"}
    found = codes(request, tmp_path)
    assert {one: level for one, level in found.items() if level != "info"} == wanted


def test_requests_that_senders_alone_keep_are_a_warning(postgres_server: Server, tmp_path: Path) -> None:
    target = postgres_server.fresh_database()
    options = {"topics": "a, b", "verification": "github", "keys": "b: _key"}
    request = Precheck(
        source=Connection.model_validate({"kind": "webhook", "options": options, "secrets": {"secret": "s"}}),
        target=connection(postgres_server, target),
        tables=planned("a", "b", schema="topics"),
    )
    wanted = {("senders-repeat", "topics.a"): "warning", ("requests-not-kept", "topics.b"): "warning"}
    found = codes(request, tmp_path)
    assert {one: level for one, level in found.items() if level != "info"} == wanted


def test_tables_that_cannot_be_published_block_with_their_remedy(postgres_server: Server, tmp_path: Path) -> None:
    source, target = postgres_server.fresh_database(), postgres_server.fresh_database()
    postgres_server.execute(
        "CREATE TABLE fine (id int PRIMARY KEY); CREATE TABLE bare (k int NOT NULL);"
        "CREATE UNLOGGED TABLE fleeting (id int PRIMARY KEY)",
        source,
    )
    bare = PlannedTable(source=TableRef(schema_name="public", table="bare"), key=("k",))
    request = Precheck(
        source=connection(postgres_server, source),
        target=connection(postgres_server, target),
        tables=(*planned("fine", "fleeting"), bare),
    )
    findings = answer(request, tmp_path, BusSettings())
    assert isinstance(findings, Findings)
    said = {one.table: (one.level, one.reason.facts["reason"]) for one in findings.findings if one.table}
    assert said == {"public.fleeting": ("error", "unlogged-table"), "public.bare": ("error", "no-replica-identity")}
    remedies = {one.table: one.remedy for one in findings.findings if one.table}
    postgres_server.execute("; ".join(remedies.values()), source)
    assert codes(request, tmp_path) == ADVICE


def test_a_key_that_mysql_cannot_hand_on_is_refused_without_reading_structures_twice(
    mariadb_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = mariadb_server.fresh_database(), mariadb_server.fresh_database()
    mariadb_server.execute("CREATE TABLE packed (k varchar(20) COMPRESSED NOT NULL, v int)", source)
    described: list[list[TableName]] = []

    def describe(session: Session, names: Sequence[TableName]) -> list[TableLayout]:
        described.append(list(names))
        return describe_layouts(session, names)

    for place in ("catalog.discover", "capture.source"):
        monkeypatch.setattr(f"zcbus.connectors.mysql.{place}.describe_layouts", describe)
    request = Precheck(
        source=connection(mariadb_server, source),
        target=connection(mariadb_server, target),
        tables=(PlannedTable(source=TableRef(schema_name=source, table="packed"), key=("k",)),),
    )
    findings = answer(request, tmp_path, BusSettings())
    assert isinstance(findings, Findings)
    refused = [one.reason.facts for one in findings.findings if one.reason.code == "table-refused"]
    assert [(facts["column"], facts["reason"]) for facts in refused] == [("k", "key-column-unsupported")]
    assert described == [[TableName(source, "packed")]]


def test_a_link_without_load_makes_the_target_table_itself(postgres_server: Server, tmp_path: Path) -> None:
    source, target = postgres_server.fresh_database(), postgres_server.fresh_database()
    postgres_server.execute("CREATE TABLE t (id int PRIMARY KEY)", source)
    request = Precheck(
        source=connection(postgres_server, source),
        target=connection(postgres_server, target),
        tables=planned("t"),
        load=LoadMode.INCREMENTAL,
    )
    assert codes(request, tmp_path) == ADVICE


def test_transforms_that_cannot_be_are_found(postgres_server: Server, mariadb_server: Server, tmp_path: Path) -> None:
    source, target = mariadb_server.fresh_database(), postgres_server.fresh_database()
    mariadb_server.execute("CREATE TABLE good (id int PRIMARY KEY, t text, n decimal(10,2))", source)
    mariadb_server.execute("CREATE TABLE bad (id int PRIMARY KEY, t text)", source)
    postgres_server.execute('CREATE TABLE good ("ID" int PRIMARY KEY, "T" text, twice numeric)', target)
    good = Transform(
        where="n > 1", expressions=(ColumnExpression(column="twice", expression="n * 2"),), target_where="twice > 4"
    )
    bads = (
        Transform(where="nowhere > 1"),
        Transform(where="read_text('/etc/passwd') = 'x'"),
        Transform(masks=(ColumnMask(column="id", method="partial"),)),
        Transform(target_where="missing = 1"),
    )
    for transform, code in zip(
        bads, ("expression-invalid",) * 2 + ("mask-not-possible", "expression-invalid"), strict=True
    ):
        request = Precheck(
            source=connection(mariadb_server, source),
            target=connection(postgres_server, target),
            tables=(
                PlannedTable(
                    source=TableRef(schema_name=source, table="good"),
                    columns=(("id", "id"), ("t", "t")),
                    transform=good,
                ),
                PlannedTable(source=TableRef(schema_name=source, table="bad"), transform=transform),
            ),
        )
        found = codes(request, tmp_path)
        assert found[(code, f"{source}.bad")] == "error"
        assert not [key for key, level in found.items() if key[1] == f"{source}.good" and level == "error"]
    exact = PlannedTable(source=TableRef(schema_name=source, table="good"), transform=Transform(exact_names=True))
    found = codes(request.model_copy(update={"tables": (exact,)}), tmp_path)
    assert found[("target-column-missing", f"{source}.good")] == "error"


def test_a_target_key_that_compares_inexactly_is_an_error(
    postgres_server: Server, mariadb_server: Server, tmp_path: Path
) -> None:
    source, target = postgres_server.fresh_database(), mariadb_server.fresh_database()
    names = ("folds", "pads", "exact", "numbers")
    for name in names[:3]:
        postgres_server.execute(f"CREATE TABLE {name} (k text PRIMARY KEY)", source)
    postgres_server.execute("CREATE TABLE numbers (k int PRIMARY KEY)", source)
    for name, collation in (("folds", "utf8mb4_general_ci"), ("pads", "utf8mb4_bin"), ("exact", "utf8mb4_nopad_bin")):
        mariadb_server.execute(f"CREATE TABLE {name} (k varchar(20) COLLATE {collation} PRIMARY KEY)", target)
    mariadb_server.execute("CREATE TABLE numbers (k int PRIMARY KEY)", target)
    request = Precheck(
        source=connection(postgres_server, source), target=connection(mariadb_server, target), tables=planned(*names)
    )
    findings = answer(request, tmp_path, BusSettings())
    assert isinstance(findings, Findings)
    found = [one for one in findings.findings if one.reason.code == "target-key-inexact"]
    assert [(one.level, one.table, one.column) for one in found] == [
        ("error", "public.folds", "k"),
        ("error", "public.pads", "k"),
    ]
    assert found[0].reason.facts["collation"] == "utf8mb4_general_ci"
    for one in found:
        mariadb_server.execute(one.remedy, target)
    assert "target-key-inexact" not in {code for code, _ in codes(request, tmp_path)}


def test_a_key_that_compares_as_the_source_does_is_exact_enough(mariadb_server: Server, tmp_path: Path) -> None:
    source, target = mariadb_server.fresh_database(), mariadb_server.fresh_database()
    for database in (source, target):
        mariadb_server.execute("CREATE TABLE t (k varchar(20) COLLATE utf8mb4_general_ci PRIMARY KEY)", database)
    request = Precheck(
        source=connection(mariadb_server, source),
        target=connection(mariadb_server, target),
        tables=planned("t", schema=source),
    )
    assert codes(request, tmp_path) == {("target-exists", f"{source}.t"): "info"}
