"""Parallel appliers over real servers: the rows are the same as without them, each change is made once, whatever is
killed."""

import contextlib
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests.integration.engine.running import Link, on_source, on_target, wait_until
from tests.integration.engine.test_comparison import comparison, counts

from zcbus.engine.comparison import repair
from zcbus.engine.comparison.recheck import find_differences
from zcbus.engine.comparison.record import Record
from zcbus.engine.subscribe.checkpoints.records import (
    MAIN,
    ApplierCheckpoint,
    ChannelCheckpoint,
    applier_checkpoints,
    channel_checkpoint,
)

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "mariadb_server"), ("mariadb_server", "postgres_server")]
LANES = 4
_KEYS = {"numbered": "id", "coded": "code"}
_NOTE = {"postgresql": "text", "mysql": "longtext"}


def create(link: Link) -> None:
    note = _NOTE[link.source.kind]
    on_source(
        link,
        f"CREATE TABLE numbered (id bigint PRIMARY KEY, v bigint NOT NULL, name varchar(100), note {note})",
        f"CREATE TABLE coded (code varchar(60) PRIMARY KEY, v bigint NOT NULL, name varchar(100), note {note})",
    )
    link.tables |= {"numbered": {}, "coded": {}}


def remembered(link: Link) -> tuple[ChannelCheckpoint, dict[int, ApplierCheckpoint]]:
    """What the target keeps of the channel applier and of the parallel appliers."""
    schema = "zcbus." if link.target.kind == "postgresql" else ""
    checkpoints = dict(link.target.rows(f"SELECT lane, data FROM {schema}zcbus_lane", link.target_database))
    return channel_checkpoint(checkpoints[MAIN]) if MAIN in checkpoints else ChannelCheckpoint(), applier_checkpoints(
        checkpoints
    )


def is_ahead(link: Link) -> bool:
    """Whether parallel appliers are committed and the channel applier is not."""
    main, keys = remembered(link)
    return any(checkpoint.is_ahead_of(main) for checkpoint in keys.values())


def count_puts(link: Link) -> None:
    """From now on the target notes each row that is put into the tables. The channel applier's commits take a while, so
    that a kill is likely to come between those of the parallel appliers and its."""
    on_target(link, "CREATE TABLE puts (place varchar(20) NOT NULL, row_key varchar(60) NOT NULL, v bigint NOT NULL)")
    for table, key in _KEYS.items():
        if link.target.kind == "postgresql":
            body = f"BEGIN INSERT INTO puts VALUES ('{table}', NEW.{key}::text, NEW.v); RETURN NULL; END"
            on_target(
                link,
                f"CREATE FUNCTION note_{table}() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$",
                f"CREATE TRIGGER note AFTER INSERT OR UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION note_{table}()",
                f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER note",
            )
        else:
            for event in ("INSERT", "UPDATE"):
                body = f"INSERT INTO puts VALUES ('{table}', NEW.{key}, NEW.v)"
                on_target(link, f"CREATE TRIGGER note_{table}_{event} AFTER {event} ON {table} FOR EACH ROW {body}")
    if link.target.kind == "postgresql":
        on_target(
            link,
            "CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.5); RETURN NEW;"
            " END $$",
            "CREATE TRIGGER linger BEFORE UPDATE ON zcbus.zcbus_lane FOR EACH ROW WHEN (NEW.lane = '')"
            " EXECUTE FUNCTION linger()",
            "ALTER TABLE zcbus.zcbus_lane ENABLE ALWAYS TRIGGER linger",
        )
    else:
        on_target(
            link,
            "CREATE TRIGGER linger BEFORE UPDATE ON zcbus_lane FOR EACH ROW"
            " SET NEW.data = IF(NEW.lane = '' AND SLEEP(0.5), NEW.data, NEW.data)",
        )


class Writer:
    """Inserts, changes, deletes and inserts again, some hundred rows a transaction, and now and then gives rows other
    keys. No value of `v` is written to two transactions."""

    def __init__(self, link: Link, seed: int) -> None:
        self._link, self._chance, self._v = link, random.Random(seed), 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="writer")
        self.error: BaseException | None = None

    def __enter__(self) -> "Writer":
        self._thread.start()
        return self

    def __exit__(self, *_details: object) -> None:
        self._stop.set()
        self._thread.join(60)
        assert not self._thread.is_alive()
        assert self.error is None, self.error

    def _work(self) -> None:
        try:
            with self._link.source.connect(self._link.source_database) as connection:
                while not self._stop.is_set():
                    with connection.cursor() as cursor:
                        cursor.execute("BEGIN")
                        for _ in range(self._chance.randrange(1, 4)):
                            cursor.execute(self._statement())
                        cursor.execute("COMMIT")
                    self._stop.wait(0.25)
        except BaseException as error:  # noqa: BLE001  raised by the call that waits for the end
            self.error = error

    def _statement(self) -> str:
        self._v += 1
        chance, table = self._chance, self._chance.choice(list(_KEYS))
        kind, some = chance.random(), self._some(table)
        if kind < 0.35:
            return self._insert(table)
        if kind < 0.80:
            return f"UPDATE {table} SET v = {self._v}, name = 'changed {self._v} 名' WHERE {some}"
        if self._v % 60:
            return f"DELETE FROM {table} WHERE {some}"
        if table == "numbered":
            return f"UPDATE numbered SET id = id + {self._v * 1_000_000}, v = {self._v} WHERE {some} AND id < 100000"
        other = f"CONCAT('m{self._v}-', code)"
        return f"UPDATE coded SET code = {other}, v = {self._v} WHERE {some} AND code LIKE 'code%%'"

    def _insert(self, table: str) -> str:
        first = self._chance.randrange(6_000)
        note = self._chance.choice(("NULL", "'short'", "REPEAT('long', 900)"))
        keys = [str(n) if table == "numbered" else f"'code-{n:05}'" for n in range(first, first + 900)]
        rows = ", ".join(f"({key}, {self._v}, 'new', {note})" for key in keys)
        if self._link.source.kind == "postgresql":
            return f"INSERT INTO {table} VALUES {rows} ON CONFLICT DO NOTHING"
        return f"INSERT IGNORE INTO {table} VALUES {rows}"

    def _some(self, table: str) -> str:
        first = self._chance.randrange(6_000)
        if table == "numbered":
            return f"id BETWEEN {first} AND {first + 900}"
        return f"code BETWEEN 'code-{first:05}' AND 'code-{first + 900:05}'"


@contextmanager
def following(link: Link) -> Iterator[None]:
    """Both tables are carried by the channel applier."""
    create(link)
    link.apply_lanes = LANES
    link.set_tasks()
    link.start()
    for table in _KEYS:
        link.wait_for_state(table, "incremental-running")
    yield


def applied(link: Link) -> int:
    """Rows in the target's tables."""
    return sum(int(link.target.rows(f"SELECT count(*) FROM {table}", link.target_database)[0][0]) for table in _KEYS)


def used(link: Link) -> set[int]:
    """Parallel appliers that have written changes of tables."""
    return {number for number, checkpoint in remembered(link)[1].items() if checkpoint.tables}


def puts_twice(link: Link) -> list[tuple[object, ...]]:
    query = "SELECT place, row_key, v, count(*) FROM puts GROUP BY place, row_key, v HAVING count(*) > 1"
    return link.target.rows(query, link.target_database)


@pytest.mark.wide
@pytest.mark.soak(but=["mariadb-postgres"])
def test_workers_that_are_killed_once_a_second(link: Link) -> None:
    chance = random.Random(11)
    with following(link):
        count_puts(link)
        with Writer(link, seed=3):
            for number in range(12):
                time.sleep(chance.uniform(0.3, 1.3))  # the faults come at a mean of one a second
                worker = link.publisher if number % 5 == 4 else link.subscriber
                if number % 3 == 0:
                    wait_until(lambda: is_ahead(link), 60, link.describe)
                worker.kill()
                worker.start()
        link.wait_until_equal(120)
    assert puts_twice(link) == []
    assert link.target.rows("SELECT count(*) FROM puts", link.target_database)[0][0] > 1_000
    assert link.subscriber.log.count("parallel appliers are ahead") >= 2, (
        "hardly a kill came between parallel appliers and channel applier"
    )


@pytest.mark.wide
@pytest.mark.parametrize("checkpoints", [1, LANES])
def test_any_number_of_appliers_gives_the_same_rows(link: Link, checkpoints: int) -> None:
    wanted = set(range(checkpoints)) if checkpoints > 1 else set()
    with following(link):
        link.apply_lanes = checkpoints
        link.retask()
        with Writer(link, seed=checkpoints):
            wait_until(lambda: applied(link) > 2_000 and used(link) == wanted, 60, link.describe)
        link.wait_until_equal(60)
    assert used(link) == wanted


def add_quiet(link: Link) -> None:
    """Rows that the writer leaves alone."""
    for table, key in (("numbered", "{0}"), ("coded", "'quiet-{0}'")):
        rows = ", ".join(f"({key.format(number)}, 1, 'quiet 名', 'kept')" for number in range(100_000, 101_000))
        on_source(link, f"INSERT INTO {table} VALUES {rows}")


def spoil_quiet(link: Link) -> None:
    """In each table 5 rows missing, 2 extra ones and 7 that differ."""
    on_target(
        link,
        "DELETE FROM numbered WHERE id BETWEEN 100001 AND 100005",
        "INSERT INTO numbered VALUES (102001, 1, 'x', NULL), (102002, 1, 'x', NULL)",
        "UPDATE numbered SET note = NULL WHERE id BETWEEN 100101 AND 100107",
        "DELETE FROM coded WHERE code BETWEEN 'quiet-100001' AND 'quiet-100005'",
        "INSERT INTO coded VALUES ('quiet-102001', 1, 'x', NULL), ('quiet-102002', 1, 'x', NULL)",
        "UPDATE coded SET name = 'spoilt' WHERE code BETWEEN 'quiet-100101' AND 'quiet-100107'",
    )


def change_behind(link: Link, monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    """Between a repair's reading of rows and its writing the source changes all of them, and the checkpoints have time
    to write that, unless they are held."""

    def find_differences_late(*read: Any) -> Any:
        on_source(link, f"UPDATE {table} SET name = 'newer'")
        with contextlib.suppress(AssertionError):
            wait_until(lambda: newer(link, table) > 0, 1)
        return find_differences(*read)

    monkeypatch.setattr(repair, "find_differences", find_differences_late)


def newer(link: Link, table: str) -> int:
    query = f"SELECT count(*) FROM {table} WHERE name = 'newer'"
    return int(link.target.rows(query, link.target_database)[0][0])


def repaired(link: Link, table: str) -> Record:
    """What a comparison found, once that is repaired."""
    found = comparison(link, table).compare()
    assert (found.not_checked, found.reason) == (0, None), link.describe()
    comparison(link, table, repair=1).repair(found)
    return found


@pytest.mark.wide
@pytest.mark.soak(but=["postgres-mariadb"])
def test_a_repair_during_parallel_apply(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spoilt rows are found and repaired while the checkpoints write; nothing else is, and no newer row is
    lost."""
    with following(link):
        add_quiet(link)
        with Writer(link, seed=5):
            wait_until(lambda: used(link) == set(range(LANES)), 60, link.describe)
            for table in _KEYS:
                assert counts(comparison(link, table).compare()) == (0, 0, 0, 0)
            spoil_quiet(link)
            for table in _KEYS:
                found = repaired(link, table)
                assert counts(found) == (5, 2, 7, 0), found.differences
                assert all("100" in one.key[0] or "102" in one.key[0] for one in found.differences)
                assert counts(comparison(link, table).compare()) == (0, 0, 0, 0)
        for table in _KEYS:
            stretch = "'quiet-100001' AND 'quiet-100150'" if table == "coded" else "100001 AND 100150"
            on_target(link, f"UPDATE {table} SET name = 'spoilt' WHERE {_KEYS[table]} BETWEEN {stretch}")
            change_behind(link, monkeypatch, table)
            assert counts(repaired(link, table)) == (0, 0, 150, 0)
            monkeypatch.undo()
        link.wait_until_equal(60)
