"""Fixtures for the whole suite. With pytest-xdist every worker starts servers of its own: `support/distribution.py`
says which tests share a worker."""

import gc
import os
from collections.abc import Iterator

import hypothesis.internal.conjecture.providers
import pytest
from xdist.remote import Producer

from tests.servers.bigquery import NamedBigQuery
from tests.servers.cassandra import CassandraServer
from tests.servers.clickhouse import ClickHouseServer
from tests.servers.csv_folder import CsvFolders, FtpFolders, S3Folders, SftpFolders, WebFolders
from tests.servers.datasette import DatasetteServer
from tests.servers.doris import NamedDoris
from tests.servers.duckdb import DuckDBFolder
from tests.servers.files import FilesFolder
from tests.servers.ftp import FtpServer
from tests.servers.hdfs import HdfsFolders, HdfsServer, WrittenHdfs
from tests.servers.http_receiver import HttpReceiver
from tests.servers.jdbc import (
    DamengServer,
    Db2Server,
    DerbyServer,
    DriversFolder,
    GaussDBServer,
    H2Server,
    HsqldbServer,
    KingbaseServer,
    NamedServer,
    OracleServer,
    SqlServer,
)
from tests.servers.kafka import Broker, KafkaServer, open_broker
from tests.servers.kafka_topics import KafkaTopics
from tests.servers.lakes import DeltaFolder, IcebergFolder
from tests.servers.mariadb import MariaDBServer, missing_programs
from tests.servers.maven import ServerNotAvailable
from tests.servers.mongodb import MongoDBServer, NamedMongoDB
from tests.servers.mosquitto import MosquittoServer
from tests.servers.mysql import MySQLServer
from tests.servers.nats import NatsServer
from tests.servers.oceanbase import OceanBaseServer
from tests.servers.opensearch import OpenSearchServer
from tests.servers.postgresql import PostgreSQLServer, oldest_programs
from tests.servers.proxies import HttpProxy, SocksProxy
from tests.servers.rabbitmq import RabbitServer
from tests.servers.s3 import S3Server
from tests.servers.sftp import SftpServer
from tests.servers.snowflake import NamedSnowflake
from tests.servers.sqlite import SQLiteFolder
from tests.servers.tidb import NamedTiDB
from tests.servers.valkey import ValkeyServer
from tests.servers.web import WebServer
from tests.servers.webhooks import WebhookSender
from tests.servers.written_files import WrittenBucket, WrittenFolders, WrittenSftpFolders
from tests.support.certificate import self_signed
from tests.support.distribution import ByServers
from tests.support.parts import pytest_addoption as pytest_addoption
from tests.support.parts import pytest_collection_modifyitems as pytest_collection_modifyitems
from tests.support.rest_service import rest_service
from zcbus.kit.network.bastion import leave_all

# Until all is collected: what is imported stays, and scanning it again and again takes a sixth of the time.
gc.disable()
# Hypothesis would read all our modules for constants that it might try, which takes each worker nine seconds.
setattr(hypothesis.internal.conjecture.providers, "is_local_module_file", lambda path: False)  # noqa: B010


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Thousands of collected tests and their modules stay: garbage collections need not scan them again."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByServers | None:
    return ByServers(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_unconfigure() -> None:
    gc.unfreeze()  # what libraries hold is freed in order at the end


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgreSQLServer]:
    """PostgreSQL 16."""
    server = PostgreSQLServer(16)
    yield server
    server.remove()


@pytest.fixture(scope="session")
def files_folder() -> Iterator[FilesFolder]:
    """Where the files of databases are."""
    folder = FilesFolder()
    yield folder
    folder.remove()


@pytest.fixture(scope="session")
def sqlite_folder(files_folder: FilesFolder) -> SQLiteFolder:
    """SQLite's files."""
    return SQLiteFolder(files_folder)


@pytest.fixture(scope="session")
def http_receiver() -> Iterator[HttpReceiver]:
    """A service that is written over HTTP."""
    with rest_service() as service:
        yield HttpReceiver(service)


@pytest.fixture(scope="session")
def datasette_server(files_folder: FilesFolder) -> Iterator[DatasetteServer]:
    """A REST service over files of SQLite."""
    server = DatasetteServer(files_folder)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def duckdb_folder(files_folder: FilesFolder) -> DuckDBFolder:
    """DuckDB's files."""
    return DuckDBFolder(files_folder)


@pytest.fixture(scope="session")
def drivers_folder() -> Iterator[DriversFolder]:
    """Where the drivers of databases are."""
    folder = DriversFolder()
    yield folder
    folder.remove()


@pytest.fixture(scope="session")
def h2_server(drivers_folder: DriversFolder) -> Iterator[H2Server]:
    """H2."""
    try:
        server = H2Server(drivers_folder)
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))
    yield server
    server.remove()


@pytest.fixture(scope="session")
def hsqldb_server(drivers_folder: DriversFolder) -> Iterator[HsqldbServer]:
    """HSQLDB."""
    try:
        server = HsqldbServer(drivers_folder)
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))
    yield server
    server.remove()


def _named(server: type[NamedServer], drivers: DriversFolder) -> Iterator[NamedServer]:
    try:
        named = server(drivers)
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))
    yield named
    named.remove()


@pytest.fixture(scope="session")
def named_sqlserver(drivers_folder: DriversFolder) -> Iterator[NamedServer]:
    """SQL Server, where ZCBUS_TEST_SQLSERVER names one."""
    yield from _named(SqlServer, drivers_folder)


@pytest.fixture(scope="session")
def named_oracle(drivers_folder: DriversFolder) -> Iterator[NamedServer]:
    """Oracle, where ZCBUS_TEST_ORACLE names one."""
    yield from _named(OracleServer, drivers_folder)


@pytest.fixture(scope="session")
def named_db2(drivers_folder: DriversFolder) -> Iterator[NamedServer]:
    """Db2, where ZCBUS_TEST_DB2 names one."""
    yield from _named(Db2Server, drivers_folder)


@pytest.fixture(scope="session")
def named_dameng(drivers_folder: DriversFolder) -> Iterator[NamedServer]:
    """DM, where ZCBUS_TEST_DAMENG names one."""
    yield from _named(DamengServer, drivers_folder)


@pytest.fixture(scope="session")
def named_kingbase(drivers_folder: DriversFolder) -> Iterator[NamedServer]:
    """KingbaseES, where ZCBUS_TEST_KINGBASE names one."""
    yield from _named(KingbaseServer, drivers_folder)


@pytest.fixture(scope="session")
def named_gaussdb(drivers_folder: DriversFolder) -> Iterator[NamedServer]:
    """GaussDB, where ZCBUS_TEST_GAUSSDB names one."""
    yield from _named(GaussDBServer, drivers_folder)


@pytest.fixture(scope="session")
def named_tidb() -> Iterator[NamedTiDB]:
    """TiDB, where ZCBUS_TEST_TIDB names one."""
    try:
        named = NamedTiDB()
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))
    yield named
    named.remove()


@pytest.fixture(scope="session")
def named_doris() -> Iterator[NamedDoris]:
    """Apache Doris or StarRocks, where ZCBUS_TEST_DORIS names one."""
    try:
        named = NamedDoris()
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))
    yield named
    named.remove()


@pytest.fixture(scope="session")
def named_snowflake() -> NamedSnowflake:
    """Snowflake, where ZCBUS_TEST_SNOWFLAKE names an account."""
    try:
        return NamedSnowflake()
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def named_bigquery() -> NamedBigQuery:
    """BigQuery, where ZCBUS_TEST_BIGQUERY names a project."""
    try:
        return NamedBigQuery()
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def derby_server(drivers_folder: DriversFolder) -> Iterator[DerbyServer]:
    """Apache Derby."""
    try:
        server = DerbyServer(drivers_folder)
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))
    yield server
    server.remove()


@pytest.fixture(scope="session")
def delta_folder(files_folder: FilesFolder) -> DeltaFolder:
    """Folders of Delta tables."""
    return DeltaFolder(files_folder)


@pytest.fixture(scope="session")
def iceberg_folder(files_folder: FilesFolder) -> IcebergFolder:
    """Folders of Iceberg tables."""
    return IcebergFolder(files_folder)


@pytest.fixture(scope="session")
def written_folders(files_folder: FilesFolder) -> WrittenFolders:
    """Folders of files that the platform writes."""
    return WrittenFolders(files_folder)


@pytest.fixture(scope="session")
def written_row_folders(files_folder: FilesFolder) -> WrittenFolders:
    """Folders of files with the current rows of tables."""
    return WrittenFolders(files_folder, content="rows", filesize=1)


@pytest.fixture(scope="session")
def written_sftp_folders(files_folder: FilesFolder, sftp_server: SftpServer) -> WrittenSftpFolders:
    """The current rows of tables behind SFTP."""
    return WrittenSftpFolders(files_folder, sftp_server, content="rows", filesize=1)


@pytest.fixture(scope="session")
def written_bucket(s3_server: S3Server) -> WrittenBucket:
    """The current rows of tables in a bucket."""
    return WrittenBucket(s3_server, content="rows", filesize=1)


@pytest.fixture(scope="session")
def written_avro_folders(files_folder: FilesFolder) -> WrittenFolders:
    """Folders of Avro files that the platform writes."""
    return WrittenFolders(files_folder, "avro")


@pytest.fixture(scope="session")
def valkey_server() -> Iterator[ValkeyServer]:
    """Valkey."""
    server = ValkeyServer()
    yield server
    server.remove()


@pytest.fixture
def own_valkey_server() -> Iterator[ValkeyServer]:
    """One that a test may kill."""
    server = ValkeyServer()
    yield server
    server.remove()


@pytest.fixture(scope="session")
def opensearch_server() -> Iterator[OpenSearchServer]:
    """OpenSearch, one node."""
    try:
        server = OpenSearchServer()
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))
    yield server
    server.remove()


@pytest.fixture(scope="session")
def cassandra_server() -> Iterator[CassandraServer]:
    """Cassandra, one node."""
    try:
        server = CassandraServer()
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))
    yield server
    server.remove()


@pytest.fixture(scope="session")
def mongodb_server() -> Iterator[MongoDBServer]:
    """FerretDB, or a MongoDB that an operator names."""
    try:
        server = NamedMongoDB() if os.environ.get("ZCBUS_TEST_MONGODB") else MongoDBServer()
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))
    yield server
    server.remove()


@pytest.fixture(scope="session")
def clickhouse_server() -> Iterator[ClickHouseServer]:
    """The engine of ClickHouse."""
    try:
        server = ClickHouseServer()
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))
    yield server
    server.remove()


@pytest.fixture(scope="session")
def hdfs_server() -> Iterator[HdfsServer]:
    """HDFS."""
    try:
        server = HdfsServer()
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))
    yield server
    server.remove()


@pytest.fixture
def hdfs_folders(hdfs_server: HdfsServer) -> HdfsFolders:
    """Folders of CSV files in HDFS."""
    return HdfsFolders(hdfs_server)


@pytest.fixture(scope="session")
def written_hdfs(hdfs_server: HdfsServer) -> WrittenHdfs:
    """The current rows of tables in HDFS."""
    return WrittenHdfs(hdfs_server)


@pytest.fixture(scope="session")
def sftp_server() -> Iterator[SftpServer]:
    """OpenSSH."""
    server = SftpServer()
    yield server
    server.remove()


@pytest.fixture(scope="session")
def bastion() -> Iterator[SftpServer]:
    """An SSH server that tests connect through, stop and start."""
    server = SftpServer()
    yield server
    leave_all()
    server.remove()


@pytest.fixture(scope="session")
def socks_proxy() -> Iterator[SocksProxy]:
    """microsocks, with an account."""
    proxy = SocksProxy()
    yield proxy
    proxy.remove()


@pytest.fixture(scope="session")
def http_proxy() -> Iterator[HttpProxy]:
    """tinyproxy, with an account."""
    proxy = HttpProxy()
    yield proxy
    proxy.remove()


@pytest.fixture
def sftp_folders(files_folder: FilesFolder, sftp_server: SftpServer) -> SftpFolders:
    """Folders of CSV files behind SFTP."""
    return SftpFolders(files_folder, sftp_server)


@pytest.fixture(scope="session")
def ftp_server(files_folder: FilesFolder) -> Iterator[FtpServer]:
    """pyftpdlib, by TLS."""
    server = FtpServer(files_folder.folder, tls="explicit")
    yield server
    server.remove()


@pytest.fixture
def ftp_folders(files_folder: FilesFolder, ftp_server: FtpServer) -> FtpFolders:
    """Folders of CSV files behind FTP."""
    return FtpFolders(files_folder, ftp_server)


@pytest.fixture(scope="session")
def web_server(files_folder: FilesFolder) -> Iterator[WebServer]:
    """Starlette's files."""
    server = WebServer(files_folder.folder)
    yield server
    server.remove()


@pytest.fixture
def web_folders(files_folder: FilesFolder, web_server: WebServer) -> WebFolders:
    """Folders of CSV files behind HTTP, listed by pages."""
    return WebFolders(files_folder, web_server)


@pytest.fixture(scope="session")
def s3_server() -> Iterator[S3Server]:
    """SeaweedFS."""
    server = S3Server()
    yield server
    server.remove()


@pytest.fixture
def s3_folders(s3_server: S3Server) -> S3Folders:
    """Folders of CSV files in a bucket."""
    return S3Folders(s3_server)


@pytest.fixture
def csv_folders(files_folder: FilesFolder) -> CsvFolders:
    """Folders of CSV files."""
    return CsvFolders(files_folder)


@pytest.fixture(scope="session")
def postgres18_server() -> Iterator[PostgreSQLServer]:
    """PostgreSQL 18."""
    server = PostgreSQLServer(18)
    yield server
    server.remove()


@pytest.fixture(scope="session")
def mariadb_server() -> Iterator[MariaDBServer]:
    """MariaDB from Debian's package."""
    if missing_programs():
        pytest.skip(f"not installed: {', '.join(missing_programs())} (Debian package mariadb-server)")
    server = MariaDBServer()
    yield server
    server.remove()


@pytest.fixture(scope="session")
def postgres12_server() -> Iterator[PostgreSQLServer]:
    """PostgreSQL 12, the oldest that is supported."""
    try:
        programs = oldest_programs()
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))
    server = PostgreSQLServer(programs=programs)
    yield server
    server.remove()


@pytest.fixture(scope="session")
def mysql_server() -> Iterator[MySQLServer]:
    """MySQL 8.0."""
    try:
        server = MySQLServer()
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))
    yield server
    server.remove()


@pytest.fixture
def kafka_topics(kafka_broker: Broker) -> Iterator[KafkaTopics]:
    """The broker's topics."""
    topics = KafkaTopics(kafka_broker)
    yield topics
    topics.close()


@pytest.fixture(scope="session")
def nats_server() -> Iterator[NatsServer]:
    """NATS with JetStream, one server."""
    server = NatsServer()
    yield server
    server.remove()


@pytest.fixture
def own_nats_server() -> Iterator[NatsServer]:
    """One that a test may kill."""
    server = NatsServer()
    yield server
    server.remove()


@pytest.fixture(scope="session")
def mosquitto_server() -> Iterator[MosquittoServer]:
    """An MQTT broker."""
    server = MosquittoServer()
    yield server
    server.remove()


@pytest.fixture
def own_mosquitto_server() -> Iterator[MosquittoServer]:
    """One that a test may kill."""
    server = MosquittoServer()
    yield server
    server.remove()


@pytest.fixture(scope="session")
def rabbit_server() -> Iterator[RabbitServer]:
    """A RabbitMQ broker."""
    server = RabbitServer()
    yield server
    server.remove()


@pytest.fixture(scope="session")
def webhook_sender() -> Iterator[WebhookSender]:
    """A sender of webhooks."""
    sender = WebhookSender()
    yield sender
    sender.remove()


@pytest.fixture
def own_webhook_sender() -> Iterator[WebhookSender]:
    """One with a port of its own."""
    sender = WebhookSender()
    yield sender
    sender.remove()


@pytest.fixture(scope="session")
def oceanbase_server() -> Iterator[OceanBaseServer]:
    """OceanBase's engine, one node."""
    try:
        server = OceanBaseServer()
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))
    yield server
    server.remove()


@pytest.fixture(scope="session")
def kafka_broker() -> Iterator[Broker]:
    """A Kafka broker: the one that ZCBUS_TEST_KAFKA names, or a private one."""
    try:
        broker = open_broker()
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))
    yield broker
    if isinstance(broker, KafkaServer):
        broker.remove()


@pytest.fixture(scope="session")
def secure_kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[KafkaServer, str]]:
    """A private Kafka broker with TLS, and the path of the certificate that vouches for it."""
    certificate, key = self_signed()
    ca = tmp_path_factory.mktemp("tls") / "ca.pem"
    ca.write_bytes(certificate)
    try:
        broker = KafkaServer(key + certificate)
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))
    yield broker, str(ca)
    broker.remove()
