"""The store works the same on both databases, and its migrations create the declared tables."""

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from tests.servers.postgresql import PostgreSQLServer
from tests.support.control_plane import control_plane
from zcbus.control.bootstrap import StoreUnreachableError
from zcbus.control.store.columns import JsonDocument, UtcTimestamp
from zcbus.control.store.engine import Database
from zcbus.control.store.migrate import StoreVersionUnknown, current_version, migrate, needed_version
from zcbus.control.store.tables import metadata
from zcbus.demo.embedded import free_port

pytestmark = pytest.mark.every_store
SAMPLE = sa.Table(
    "sample",
    sa.MetaData(),
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", UtcTimestamp),
    sa.Column("document", JsonDocument),
)


@pytest.fixture
def database(store_url: str) -> Iterator[Database]:
    opened = Database(store_url)
    yield opened
    opened.close()


@pytest.mark.wide
def test_migrations_make_exactly_the_tables(database: Database) -> None:
    migrate(database)
    with database.write() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_migrating_twice_changes_nothing(database: Database) -> None:
    assert migrate(database) == migrate(database) == needed_version()


def test_a_store_of_an_unknown_version_is_refused_and_left_alone(database: Database) -> None:
    migrate(database)
    with database.write() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreVersionUnknown) as caught:
        migrate(database)
    assert caught.value.facts == {"version": "9999", "needed": needed_version()}
    with database.read() as connection:
        assert current_version(connection) == "9999"


def test_replicas_may_migrate_at_the_same_time(store_url: str) -> None:
    failures: list[Exception] = []

    def start_replica() -> None:
        replica = Database(store_url)
        try:
            migrate(replica)
        except Exception as error:  # noqa: BLE001  whatever it is, the test shows it
            failures.append(error)
        finally:
            replica.close()

    threads = [threading.Thread(target=start_replica) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_replica_waits_while_another_prepares_the_new_file(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    opened = Database(f"sqlite:///{path}")
    with ThreadPoolExecutor(1) as pool:
        version = pool.submit(migrate, opened)
        with pytest.raises(TimeoutError):
            version.result(timeout=0.3)
        other.execute("COMMIT")
        assert version.result() == needed_version()
    other.close()
    opened.close()


def test_an_empty_store_has_no_version(database: Database) -> None:
    with database.read() as connection:
        assert current_version(connection) is None


def test_times_read_back_in_utc_to_the_microsecond(database: Database) -> None:
    moment = datetime(2026, 2, 28, 23, 59, 59, 999999, tzinfo=timezone(timedelta(hours=8)))
    with database.write() as connection:
        SAMPLE.create(connection)
        connection.execute(SAMPLE.insert().values(id=1, at=moment))
        connection.execute(SAMPLE.insert().values(id=2, at=moment + timedelta(microseconds=1)))
        connection.execute(SAMPLE.insert().values(id=3, at=None))
    with database.read() as connection:
        read = connection.execute(sa.select(SAMPLE.c.at).order_by(SAMPLE.c.id)).scalars().all()
        later = connection.execute(sa.select(SAMPLE.c.id).where(SAMPLE.c.at > moment)).scalars().all()
    assert read[0] == moment
    assert read[0] is not None
    assert read[0].tzinfo is UTC
    assert read[2] is None
    assert later == [2]


def test_a_time_without_zone_is_refused(database: Database) -> None:
    with database.write() as connection:
        SAMPLE.create(connection)
        with pytest.raises(sa.exc.StatementError, match="without a zone"):
            connection.execute(SAMPLE.insert().values(id=1, at=datetime(2026, 1, 1)))


@pytest.mark.parametrize("value", [{"z": 1, "a": [None, "中文🎈"]}, [], "text", 1.5, True, {}])
def test_documents_read_back_as_written(database: Database, value: object) -> None:
    with database.write() as connection:
        SAMPLE.create(connection)
        connection.execute(SAMPLE.insert().values(id=1, document=value))
    with database.read() as connection:
        read = connection.execute(sa.select(SAMPLE.c.document)).scalar_one()
    assert read == value
    if isinstance(value, dict) and isinstance(read, dict):
        assert list(read) == list(value)


def test_fields_of_documents_can_be_searched(database: Database) -> None:
    with database.write() as connection:
        SAMPLE.create(connection)
        documents = [{"host": "主机", "a.b": "x"}, {"host": "other"}, {"port": 1}, {}, None]
        for number, document in enumerate(documents):
            connection.execute(SAMPLE.insert().values(id=number, document=document))
    with database.read() as connection:

        def found(condition: sa.ColumnElement[bool]) -> list[int]:
            return list(connection.execute(sa.select(SAMPLE.c.id).where(condition).order_by(SAMPLE.c.id)).scalars())

        assert found(SAMPLE.c.document["host"].as_string() == "主机") == [0]
        assert found(sa.func.lower(SAMPLE.c.document["host"].as_string()).like("%th%")) == [1]
        assert found(SAMPLE.c.document["a.b"].as_string() == "x") == [0]
        assert found(SAMPLE.c.document["host"].as_string().is_(None)) == [2, 3, 4]
        for strange in ('"', "'", "\\", "$.host", '"]'):
            assert found(SAMPLE.c.document[strange].as_string() == "x") == []


def test_a_failed_transaction_leaves_nothing(database: Database) -> None:
    with database.write() as connection:
        SAMPLE.create(connection)

    def fail_after_writing() -> None:
        with database.write() as connection:
            connection.execute(SAMPLE.insert().values(id=1))
            raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError, match="on purpose"):
        fail_after_writing()
    with database.read() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(SAMPLE)).scalar_one() == 0


def test_a_snapshot_sees_one_moment_of_the_store(database: Database) -> None:
    SAMPLE.create(database.engine)
    count = sa.select(sa.func.count()).select_from(SAMPLE)
    with database.read_snapshot() as reading:
        assert reading.execute(count).scalar_one() == 0
        with database.write() as writing:
            writing.execute(SAMPLE.insert().values(id=1))
        assert reading.execute(count).scalar_one() == 0
    with database.read() as reading:
        assert reading.execute(count).scalar_one() == 1


def test_many_writers_wait_for_each_other(database: Database) -> None:
    """A counter read and written in one transaction loses nothing under four writers."""
    with database.write() as connection:
        SAMPLE.create(connection)
        connection.execute(SAMPLE.insert().values(id=1, document=0))

    def count_up() -> None:
        for _ in range(25):
            with database.write_alone() as connection:
                value = connection.execute(sa.select(SAMPLE.c.document)).scalar_one()
                assert isinstance(value, int)
                connection.execute(sa.update(SAMPLE).values(document=value + 1))

    threads = [threading.Thread(target=count_up) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.read() as connection:
        assert connection.execute(sa.select(SAMPLE.c.document)).scalar_one() == 100


def test_foreign_keys_are_enforced(database: Database) -> None:
    migrate(database)
    with pytest.raises(sa.exc.IntegrityError), database.write() as connection:
        connection.execute(metadata.tables["user_role"].insert().values(user_id="nobody", role_id="nothing"))


def test_errors_of_the_store_carry_no_values(database: Database) -> None:
    with pytest.raises(sa.exc.DBAPIError) as caught, database.write() as connection:
        connection.execute(sa.text("INSERT INTO nowhere VALUES (:secret)"), {"secret": "hunter2-secret"})
    assert "hunter2-secret" not in str(caught.value)


def test_the_sqlite_file_is_private(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    opened = Database(f"sqlite:///{path}")
    migrate(opened)
    modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    opened.close()
    assert modes["store.db"] == 0o600
    assert set(modes.values()) == {0o600}


@pytest.mark.wide
@pytest.mark.server
def test_calls_resume_when_the_store_is_back(postgres_server: PostgreSQLServer, tmp_path: Path) -> None:
    server = postgres_server
    name = server.fresh_database("outage")
    url = f"postgresql+psycopg://{server.user}:{server.password}@{server.host}:{server.port}/{name}"
    with control_plane(tmp_path, url) as plane:
        token = plane.sign_in()
        server.stop()
        try:
            away = plane.get("auth/info", token)
            ready = plane.client.get("/readyz").status_code
        finally:
            server.start()
        assert (away.status_code, away.json()["code"], away.json()["data"]["error"]) == (503, 503, "store-busy")
        assert server.password not in away.text
        assert ready == 503
        assert plane.get("auth/info", token).json()["code"] == 200
    server.drop_database(name)


def test_a_store_that_is_not_there_stops_the_start_with_a_reason(tmp_path: Path) -> None:
    url = f"postgresql+psycopg://somebody:hunter2-secret@127.0.0.1:{free_port()}/nothing"
    with pytest.raises(StoreUnreachableError) as caught, control_plane(tmp_path, url):
        pass
    assert "refused" in str(caught.value)
    assert "hunter2-secret" not in str(caught.value)
