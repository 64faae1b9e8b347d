"""The kinds of data sources: one literal map from kind to specification and lazy factory.

Specifications are cheap and safe to import anywhere; drivers are imported only when a connector is made.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, cast

from zcbus.connectors.bigquery.spec import BIGQUERY
from zcbus.connectors.cassandra.spec import CASSANDRA
from zcbus.connectors.clickhouse.spec import CLICKHOUSE
from zcbus.connectors.dameng.spec import DAMENG
from zcbus.connectors.db2.spec import DB2
from zcbus.connectors.delta.spec import DELTA
from zcbus.connectors.derby.spec import DERBY
from zcbus.connectors.doris.spec import DORIS
from zcbus.connectors.duckdb.spec import DUCKDB
from zcbus.connectors.errors import RoleMissing
from zcbus.connectors.ftp.spec import FTP
from zcbus.connectors.gaussdb.spec import GAUSSDB
from zcbus.connectors.h2.spec import H2
from zcbus.connectors.hdfs.spec import HDFS
from zcbus.connectors.hsqldb.spec import HSQLDB
from zcbus.connectors.http.spec import HTTP
from zcbus.connectors.iceberg.spec import ICEBERG
from zcbus.connectors.kafka.spec import KAFKA
from zcbus.connectors.kingbase.spec import KINGBASE
from zcbus.connectors.localfiles.spec import LOCAL_FILES
from zcbus.connectors.mongodb.spec import MONGODB
from zcbus.connectors.mqtt.spec import MQTT
from zcbus.connectors.mysql.capture import file_number
from zcbus.connectors.mysql.spec import MYSQL
from zcbus.connectors.nats.spec import NATS
from zcbus.connectors.oceanbase.spec import OCEANBASE
from zcbus.connectors.opensearch.spec import OPENSEARCH
from zcbus.connectors.oracle.spec import ORACLE
from zcbus.connectors.polling import rounds
from zcbus.connectors.postgresql.capture import lsn
from zcbus.connectors.postgresql.spec import POSTGRESQL
from zcbus.connectors.rabbitmq.spec import RABBITMQ
from zcbus.connectors.redis.spec import REDIS
from zcbus.connectors.s3.spec import S3
from zcbus.connectors.sftp.spec import SFTP
from zcbus.connectors.snowflake.spec import SNOWFLAKE
from zcbus.connectors.spec import KindSpec
from zcbus.connectors.sqlite.spec import SQLITE
from zcbus.connectors.sqlserver.spec import SQLSERVER
from zcbus.connectors.tidb.spec import TIDB
from zcbus.connectors.webfiles.spec import WEB_FILES
from zcbus.connectors.webhook.spec import WEBHOOK
from zcbus.kit.errors import TerminalError
from zcbus.model.position import Position
from zcbus.model.query_text import QueryRules

if TYPE_CHECKING:
    from zcbus.connectors.roles import Connector


class UnknownKind(TerminalError):
    """No connector of that kind. Facts: kind, known."""

    code = "unknown-kind"


def position_fields(position: Position) -> dict[str, int]:
    """A position in the canonical notation."""
    return {"file": position.file, "pos": position.offset}


@dataclass(frozen=True, slots=True)
class Entry:
    """A kind's specification, and the module with its `connector()`."""

    spec: KindSpec
    module: str
    place: Callable[[Position], str] = str
    """A position in the notation of the kind's sources, for people; needs no connection."""
    fields: Callable[[Position], dict[str, int]] = position_fields
    """The same for programs, by names that Debezium made common."""

    def make(self) -> "Connector":
        factory = cast("Callable[[], Connector]", import_module(self.module).connector)
        return factory()


KINDS: dict[str, Entry] = {
    "postgresql": Entry(POSTGRESQL, "zcbus.connectors.postgresql.connector", lsn.place, lsn.fields),
    "mysql": Entry(MYSQL, "zcbus.connectors.mysql.connector", file_number.place, file_number.fields),
    "sqlite": Entry(SQLITE, "zcbus.connectors.sqlite.connector", rounds.place, rounds.fields),
    "duckdb": Entry(DUCKDB, "zcbus.connectors.duckdb.connector", rounds.place, rounds.fields),
    "oceanbase": Entry(OCEANBASE, "zcbus.connectors.oceanbase.connector", rounds.place, rounds.fields),
    "h2": Entry(H2, "zcbus.connectors.h2.connector", rounds.place, rounds.fields),
    "hsqldb": Entry(HSQLDB, "zcbus.connectors.hsqldb.connector", rounds.place, rounds.fields),
    "derby": Entry(DERBY, "zcbus.connectors.derby.connector", rounds.place, rounds.fields),
    "sqlserver": Entry(SQLSERVER, "zcbus.connectors.sqlserver.connector", rounds.place, rounds.fields),
    "oracle": Entry(ORACLE, "zcbus.connectors.oracle.connector", rounds.place, rounds.fields),
    "db2": Entry(DB2, "zcbus.connectors.db2.connector", rounds.place, rounds.fields),
    "dameng": Entry(DAMENG, "zcbus.connectors.dameng.connector", rounds.place, rounds.fields),
    "kingbase": Entry(KINGBASE, "zcbus.connectors.kingbase.connector", rounds.place, rounds.fields),
    "gaussdb": Entry(GAUSSDB, "zcbus.connectors.gaussdb.connector", rounds.place, rounds.fields),
    "tidb": Entry(TIDB, "zcbus.connectors.tidb.connector", rounds.place, rounds.fields),
    "doris": Entry(DORIS, "zcbus.connectors.doris.connector", rounds.place, rounds.fields),
    "snowflake": Entry(SNOWFLAKE, "zcbus.connectors.snowflake.connector", rounds.place, rounds.fields),
    "bigquery": Entry(BIGQUERY, "zcbus.connectors.bigquery.connector", rounds.place, rounds.fields),
    "localfiles": Entry(LOCAL_FILES, "zcbus.connectors.localfiles.connector", rounds.place, rounds.fields),
    "s3": Entry(S3, "zcbus.connectors.s3.connector", rounds.place, rounds.fields),
    "sftp": Entry(SFTP, "zcbus.connectors.sftp.connector", rounds.place, rounds.fields),
    "hdfs": Entry(HDFS, "zcbus.connectors.hdfs.connector", rounds.place, rounds.fields),
    "ftp": Entry(FTP, "zcbus.connectors.ftp.connector", rounds.place, rounds.fields),
    "webfiles": Entry(WEB_FILES, "zcbus.connectors.webfiles.connector", rounds.place, rounds.fields),
    "kafka": Entry(KAFKA, "zcbus.connectors.kafka.connector", rounds.place, rounds.fields),
    "nats": Entry(NATS, "zcbus.connectors.nats.connector", rounds.place, rounds.fields),
    "mqtt": Entry(MQTT, "zcbus.connectors.mqtt.connector", rounds.place, rounds.fields),
    "rabbitmq": Entry(RABBITMQ, "zcbus.connectors.rabbitmq.connector", rounds.place, rounds.fields),
    "http": Entry(HTTP, "zcbus.connectors.http.connector", rounds.place, rounds.fields),
    "webhook": Entry(WEBHOOK, "zcbus.connectors.webhook.connector", rounds.place, rounds.fields),
    "redis": Entry(REDIS, "zcbus.connectors.redis.connector", rounds.place, rounds.fields),
    "delta": Entry(DELTA, "zcbus.connectors.delta.connector", rounds.place, rounds.fields),
    "iceberg": Entry(ICEBERG, "zcbus.connectors.iceberg.connector"),
    "opensearch": Entry(OPENSEARCH, "zcbus.connectors.opensearch.connector"),
    "clickhouse": Entry(CLICKHOUSE, "zcbus.connectors.clickhouse.connector"),
    "cassandra": Entry(CASSANDRA, "zcbus.connectors.cassandra.connector", rounds.place, rounds.fields),
    "mongodb": Entry(MONGODB, "zcbus.connectors.mongodb.connector", rounds.place, rounds.fields),
}


def spec_of(kind: str) -> KindSpec:
    """The specification of a kind. Raises UnknownKind."""
    if kind not in KINDS:
        raise UnknownKind(kind=kind, known=sorted(KINDS))
    return KINDS[kind].spec


def query_rules(kind: str) -> QueryRules:
    """How servers of a kind read queries. Raises UnknownKind, RoleMissing."""
    rules = spec_of(kind).query_rules
    if rules is None:
        raise RoleMissing(kind=kind, role="query_runner")
    return rules


def connector(kind: str) -> "Connector":
    """The connector of a kind. Raises UnknownKind."""
    if kind not in KINDS:
        raise UnknownKind(kind=kind, known=sorted(KINDS))
    return KINDS[kind].make()
