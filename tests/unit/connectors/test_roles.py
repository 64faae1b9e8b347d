"""Capabilities in the registry match the roles that the kinds implement."""

import pytest

from zcbus.connectors.duckdb.rows import DuckDBTableReader
from zcbus.connectors.duckdb.session import DuckDBSession
from zcbus.connectors.errors import RoleMissing
from zcbus.connectors.mysql.apply.target import MySQLTargetSession
from zcbus.connectors.mysql.capture.source import MySQLSource
from zcbus.connectors.mysql.snapshot.reader import MySQLSnapshot
from zcbus.connectors.polling.source import PolledImage, PollingSource
from zcbus.connectors.postgresql.apply.session import PostgreSQLSession
from zcbus.connectors.postgresql.capture.source import PostgreSQLSource
from zcbus.connectors.postgresql.snapshot.reader import PostgreSQLSnapshotReader
from zcbus.connectors.reading import FullRowReader, SummingReader
from zcbus.connectors.registry import KINDS
from zcbus.connectors.roles import (
    Connector,
    IdentifiedLog,
    KeyParallelSink,
    LockObserver,
    MeasuredLog,
    PackedSnapshot,
    RawSink,
    RawSnapshot,
    RegisteredReader,
    RegisteredSession,
)
from zcbus.connectors.sqlite.rows import SQLiteTableReader
from zcbus.connectors.sqlite.session import SQLiteSession

OPTIONAL = (
    RegisteredSession,
    KeyParallelSink,
    LockObserver,
    RawSink,
    PackedSnapshot,
    RawSnapshot,
    IdentifiedLog,
    MeasuredLog,
    RegisteredReader,
    SummingReader,
    FullRowReader,
)


@pytest.mark.parametrize(
    ("made", "roles"),
    [
        (PostgreSQLSource, {MeasuredLog, RegisteredReader}),
        (PostgreSQLSnapshotReader, {RawSnapshot, SummingReader, FullRowReader}),
        (PostgreSQLSession, {RegisteredSession, KeyParallelSink, LockObserver, RawSink}),
        (MySQLSource, {IdentifiedLog, MeasuredLog}),
        (MySQLSnapshot, {PackedSnapshot}),
        (MySQLTargetSession, {RegisteredSession, KeyParallelSink, LockObserver, RawSink}),
        (PollingSource, set()),
        (PolledImage, set()),
        (SQLiteTableReader, set()),
        (SQLiteSession, set()),
        (DuckDBTableReader, set()),
        (DuckDBSession, set()),
    ],
)
def test_a_class_plays_exactly_the_roles_it_can(made: type, roles: set[type]) -> None:
    assert {role for role in OPTIONAL if issubclass(made, role)} == roles


@pytest.mark.parametrize("kind", KINDS)
def test_capabilities_say_which_methods_a_kind_has(kind: str) -> None:
    spec, made = KINDS[kind].spec, type(KINDS[kind].make())
    declared = {
        "source": spec.source,
        "target": spec.target,
        "reader": spec.capabilities.comparable or spec.capabilities.comparable_target,
        "previewer": spec.capabilities.preview,
        "document_importer": spec.capabilities.imports,
        "query_runner": spec.query_rules is not None,
    }
    assert {name: getattr(made, name) is not getattr(Connector, name) for name in declared} == declared
    assert made.kind == kind


def test_a_missing_role_is_a_terminal_error() -> None:
    with pytest.raises(RoleMissing):
        KINDS["sqlite"].make().query_runner(None)


@pytest.mark.parametrize("kind", KINDS)
def test_log_is_retained_only_where_it_can_be_measured_and_dropped(kind: str) -> None:
    spec = KINDS[kind].spec
    if spec.source:
        required = (option.name for option in spec.options if option.required and option.type == "text")
        known = {"url": "https://x", "verification": "none"}
        options = spec.model(**{name: known.get(name, "x") for name in required})
        source = KINDS[kind].make().source(options)
        retains = isinstance(source, MeasuredLog) and isinstance(source, RegisteredReader)
        assert retains == spec.capabilities.retains_log
