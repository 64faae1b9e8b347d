"""Pairs of databases to try. A kind's own case is in `<kind>_case.py`.

Versions and products of one family take turns (tests/support/turns.py), and so do the sources of
another kind of target.
"""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conformance.connectors.case import Case, Place
from tests.conformance.connectors.cassandra_case import CassandraCase
from tests.conformance.connectors.clickhouse_case import ClickHouseCase
from tests.conformance.connectors.delta_case import DeltaCase
from tests.conformance.connectors.derby_case import DerbyCase
from tests.conformance.connectors.duckdb_case import DuckDBCase
from tests.conformance.connectors.files_case import FilesCase, HdfsFilesCase, S3FilesCase, SftpFilesCase
from tests.conformance.connectors.h2_case import H2Case
from tests.conformance.connectors.hsqldb_case import HsqldbCase
from tests.conformance.connectors.http_case import HttpCase, WebhookCase
from tests.conformance.connectors.iceberg_case import IcebergCase
from tests.conformance.connectors.jdbc_preview_cases import (
    BigQueryCase,
    DamengCase,
    Db2Case,
    GaussDBCase,
    KingbaseCase,
    OracleCase,
    SnowflakeCase,
    SqlServerCase,
)
from tests.conformance.connectors.kafka_case import KafkaCase
from tests.conformance.connectors.mongodb_case import MongoDBCase
from tests.conformance.connectors.mysql_case import MySQL8Case, MySQLCase
from tests.conformance.connectors.oceanbase_case import DorisCase, OceanBaseCase, TiDBCase
from tests.conformance.connectors.opensearch_case import OpenSearchCase
from tests.conformance.connectors.postgresql_case import PostgreSQLCase
from tests.conformance.connectors.redis_case import RedisCase
from tests.conformance.connectors.sqlite_case import SQLiteCase
from tests.support.turns import take_turns
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.connectors.emitting.log import keep_in
from zcbus.connectors.registry import spec_of
from zcbus.connectors.roles.source import drop
from zcbus.engine.state_logs import BusStateLog, keep_states_on_the_bus, topic_of

CASES: dict[str, tuple[type[Case], str]] = {
    "postgresql": (PostgreSQLCase, "postgres_server"),
    "postgresql18": (PostgreSQLCase, "postgres18_server"),
    "postgresql12": (PostgreSQLCase, "postgres12_server"),
    "mysql": (MySQLCase, "mariadb_server"),
    "mysql8": (MySQL8Case, "mysql_server"),
    "oceanbase": (OceanBaseCase, "oceanbase_server"),
    "sqlite": (SQLiteCase, "sqlite_folder"),
    "duckdb": (DuckDBCase, "duckdb_folder"),
    "h2": (H2Case, "h2_server"),
    "hsqldb": (HsqldbCase, "hsqldb_server"),
    "derby": (DerbyCase, "derby_server"),
    "sqlserver": (SqlServerCase, "named_sqlserver"),
    "oracle": (OracleCase, "named_oracle"),
    "db2": (Db2Case, "named_db2"),
    "dameng": (DamengCase, "named_dameng"),
    "kingbase": (KingbaseCase, "named_kingbase"),
    "gaussdb": (GaussDBCase, "named_gaussdb"),
    "tidb": (TiDBCase, "named_tidb"),
    "doris": (DorisCase, "named_doris"),
    "bigquery": (BigQueryCase, "named_bigquery"),
    "snowflake": (SnowflakeCase, "named_snowflake"),
    "http": (HttpCase, "datasette_server"),
    "webhook": (WebhookCase, "http_receiver"),
    "redis": (RedisCase, "valkey_server"),
    "delta": (DeltaCase, "delta_folder"),
    "iceberg": (IcebergCase, "iceberg_folder"),
    "opensearch": (OpenSearchCase, "opensearch_server"),
    "clickhouse": (ClickHouseCase, "clickhouse_server"),
    "cassandra": (CassandraCase, "cassandra_server"),
    "mongodb": (MongoDBCase, "mongodb_server"),
    "kafka": (KafkaCase, "kafka_topics"),
    "localfiles": (FilesCase, "written_folders"),
    "avrofiles": (FilesCase, "written_avro_folders"),
    "rowfiles": (FilesCase, "written_row_folders"),
    "sftpfiles": (SftpFilesCase, "written_sftp_folders"),
    "s3files": (S3FilesCase, "written_bucket"),
    "hdfsfiles": (HdfsFilesCase, "written_hdfs"),
}
"""Name in the tests' ids → the case and the fixture of its server."""

_FAMILIES = {
    "postgresql18": "postgresql",
    "postgresql12": "postgresql",
    "mysql8": "mysql",
    "hsqldb": "h2",
    "derby": "h2",
    "avrofiles": "localfiles",
    "rowfiles": "localfiles",
    "s3files": "sftpfiles",
}
"""Cases that are meant like another one: the same kind, by another version or product."""
_LOGS = ("postgresql", "mysql")
_LEFT = {"sftpfiles": pytest.mark.wide, "s3files": pytest.mark.wide, "hdfsfiles": pytest.mark.soak}
"""Cases of the same code on a further store. That of HDFS takes fifteen seconds of processor to start."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    own = [item for item in items if item.path.is_relative_to(Path(__file__).parent)]
    for parameter in ("place", "polled", "written", "written_at_once"):
        take_turns(own, parameter, _family)
    take_turns(own, "pair", _family_of_pair)


def _family(name: str) -> str:
    return _FAMILIES.get(name, name)


def _family_of_pair(pair: tuple[str, str]) -> tuple[str, ...]:
    """By which sources of another kind of target are alike."""
    source, target = map(_family, pair)
    return (source, target) if target in _LOGS else (target,)


PAIRS = [
    ("postgresql", "postgresql"),
    ("postgresql", "mysql"),
    ("mysql", "postgresql"),
    ("mysql", "mysql"),
    ("postgresql18", "postgresql18"),
    ("postgresql12", "postgresql12"),
    ("mysql8", "mysql8"),
    ("mysql8", "postgresql"),
    ("postgresql", "mysql8"),
    ("postgresql", "oceanbase"),
    ("mysql", "oceanbase"),
    ("postgresql", "sqlite"),
    ("mysql", "sqlite"),
    ("postgresql", "duckdb"),
    ("mysql", "duckdb"),
    ("postgresql", "h2"),
    ("mysql", "h2"),
    ("postgresql", "hsqldb"),
    ("postgresql", "redis"),
    ("mysql", "redis"),
    ("postgresql", "delta"),
    ("mysql", "delta"),
    ("postgresql", "iceberg"),
    ("mysql", "iceberg"),
    ("postgresql", "opensearch"),
    ("mysql", "opensearch"),
    ("postgresql", "clickhouse"),
    ("mysql", "clickhouse"),
    ("postgresql", "cassandra"),
    ("mysql", "cassandra"),
    ("postgresql", "mongodb"),
    ("mysql", "mongodb"),
    ("postgresql", "kafka"),
    ("postgresql", "localfiles"),
    ("postgresql", "avrofiles"),
    pytest.param(("postgresql", "rowfiles"), marks=pytest.mark.soak),
]


@dataclass(frozen=True)
class Pair:
    """Where rows come from and where they go."""

    source: Place
    target: Place


def make_place(request: pytest.FixtureRequest, name: str) -> Place:
    case, server = CASES[name]
    return Place(case(request.getfixturevalue(server)))


@pytest.fixture(params=PAIRS, ids=lambda names: f"{names[0]}-to-{names[1]}")
def pair(request: pytest.FixtureRequest) -> Iterator[Pair]:
    """Every ordered pair of kinds."""
    source, target = request.param
    made = Pair(make_place(request, source), make_place(request, target))
    yield made
    drop(made.source.connector.source(made.source.options), "conformance")
    made.source.drop()
    made.target.drop()


SOURCES = sorted(name for name, (case, _) in CASES.items() if spec_of(case.kind).capabilities.capture == "log")
POLLED = sorted(
    name
    for name, (case, _) in CASES.items()
    if case.is_source and spec_of(case.kind).capabilities.capture == "watermark"
)


@pytest.fixture(params=SOURCES)
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    """Every source with a log, by itself."""
    made = make_place(request, request.param)
    yield made
    drop(made.connector.source(made.options), "conformance")
    made.drop()


@pytest.fixture(params=POLLED)
def polled(request: pytest.FixtureRequest) -> Iterator[Place]:
    """Every source by watermark, by itself."""
    made = make_place(request, request.param)
    yield made
    made.drop()


WRITTEN = sorted(name for name, (case, _) in CASES.items() if case.is_target and spec_of(case.kind).target)
TARGETS = [name for name in WRITTEN if not CASES[name][0].sends]


@pytest.fixture(params=[name for name in TARGETS if CASES[name][0].speaks_sql])
def written(request: pytest.FixtureRequest) -> Iterator[Place]:
    """Every target that speaks SQL, by itself."""
    made = make_place(request, request.param)
    yield made
    made.drop()


@pytest.fixture(
    params=[pytest.param(name, marks=_LEFT.get(name, ())) for name in TARGETS if not CASES[name][0].speaks_sql]
)
def written_at_once(request: pytest.FixtureRequest) -> Iterator[Place]:
    """Every other target, by itself."""
    made = make_place(request, request.param)
    yield made
    made.drop()


@pytest.fixture(params=[name for name in WRITTEN if CASES[name][0].sends])
def emitted(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """Every target that receives events, by itself; its state is on a bus of its own."""
    made = make_place(request, request.param)
    with closing(EmbeddedBus(tmp_path / "bus")) as bus:
        keep_in(lambda place: BusStateLog(bus, topic_of(place)))
        yield made
    keep_states_on_the_bus()
    made.drop()
