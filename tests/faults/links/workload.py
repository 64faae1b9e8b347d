"""Tables under constant change, on either kind of server, and the comparison of both sides."""

import contextlib
import random
import threading
import time
from typing import Any

from tests.servers.base import Server

_ROWS = {
    "postgresql": """
        CREATE TABLE fault_rows (
            id bigint PRIMARY KEY, v integer NOT NULL, name varchar(200), amount numeric(12,2),
            changed_at timestamp(6), active boolean NOT NULL, raw bytea, note text, code varchar(40) UNIQUE)""",
    "mysql": """
        CREATE TABLE fault_rows (
            id bigint PRIMARY KEY, v int NOT NULL, name varchar(200), amount decimal(12,2),
            changed_at datetime(6), active tinyint(1) NOT NULL, raw blob, note longtext, code varchar(40) UNIQUE)""",
}
_LINES = "CREATE TABLE fault_lines (row_id bigint, line integer, body varchar(300), PRIMARY KEY (row_id, line))"
TABLES = {
    "fault_rows": ("id", "v", "name", "amount", "changed_at", "active", "raw", "note", "code"),
    "fault_lines": ("row_id", "line", "body"),
}
UNBOUNDED = 10**9
_KEYS = {"fault_rows": "id", "fault_lines": "row_id, line"}
_NAMES = (
    "王芳",
    "O'Neil",
    'quote " and \\ back',
    "tab\tnew\nline\r",
    "Zoë 😀𠀋",
    "",
    "  blanks  ",
    None,
    "NULL",
    "\\N",
)


def create_tables(server: Server, database: str, rows: int) -> None:
    """Make both tables with some first rows."""
    server.execute(_ROWS[server.kind], database)
    server.execute(_LINES, database)
    writer = Writer(server, database, seed=1)
    with server.connect(database) as connection:
        writer.fill(connection, rows)


class Writer:
    """Changes rows until stopped; a source that goes away for a while does not end it."""

    def __init__(
        self, server: Server, database: str, seed: int, most_rows: int = UNBOUNDED, pause: float = 0.004
    ) -> None:
        """`most_rows`: with so many, rows are deleted where else some would be inserted. `pause`: seconds between two
        transactions; by default there are about 200 a second, not as many as the machine can do."""
        self._most_rows, self._pause = most_rows, pause
        self._server = server
        self._database = database
        self._chance = random.Random(seed)
        self._next_id = seed * 10_000_000
        self._known: list[int] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="writer", daemon=True)
        self.transactions = 0
        self.changes = 0
        """Changes of rows that were committed, one for each row of each statement."""

    @property
    def newest(self) -> int:
        """The highest id so far; what is written later brings higher ones."""
        return self._next_id

    def start(self) -> None:
        """Begin to write."""
        with self._server.connect(self._database) as connection:
            self._known = [row[0] for row in self._query(connection, "SELECT id FROM fault_rows")]
        self._thread.start()

    def stop(self) -> None:
        """End; returns when the last transaction has ended."""
        self._stop.set()
        self._thread.join(60)
        assert not self._thread.is_alive()

    def fill(self, connection: Any, rows: int) -> None:
        """Insert first rows, many a transaction."""
        for start in range(0, rows, 500):
            with self._transaction(connection) as cursor:
                for _ in range(min(500, rows - start)):
                    self._insert(cursor)

    def _work(self) -> None:
        while not self._stop.is_set():
            with contextlib.suppress(Exception), self._server.connect(self._database) as connection:
                while not self._stop.is_set():
                    self._one_transaction(connection)
                    self.transactions += 1
                    time.sleep(self._pause)
            self._stop.wait(0.1)

    def _one_transaction(self, connection: Any) -> None:
        with self._transaction(connection) as cursor:
            if self._chance.random() < 0.005:
                self._large(cursor)
            for _ in range(self._chance.randrange(1, 12)):
                self._change(cursor)
            if self._chance.random() < 0.05:
                raise _Rollback

    @contextlib.contextmanager
    def _transaction(self, connection: Any) -> Any:
        with connection.cursor() as cursor:
            cursor.execute("BEGIN")
            counted = _Counted(cursor)
            try:
                yield counted
            except _Rollback:
                cursor.execute("ROLLBACK")
            else:
                cursor.execute("COMMIT")
                self.changes += counted.rows

    def _change(self, cursor: Any) -> None:
        choice = self._chance.random()
        if choice < 0.4 or len(self._known) < 50:
            self._insert_or_delete(cursor)
        elif choice < 0.75:
            self._update(cursor)
        elif choice < 0.83:
            self._change_key(cursor)
        elif choice < 0.88:
            self._swap(cursor)
        else:
            self._delete(cursor)

    def _insert_or_delete(self, cursor: Any) -> None:
        if len(self._known) < self._most_rows:
            self._insert(cursor)
        else:
            self._delete(cursor)

    def _insert(self, cursor: Any) -> None:
        self._next_id += 1
        number, chance = self._next_id, self._chance
        note = chance.choice(("short", None, "长文本" * 2000 + str(number)))
        raw = bytes(chance.randrange(256) for _ in range(chance.randrange(12)))
        cursor.execute(
            "INSERT INTO fault_rows (id, v, name, amount, changed_at, active, raw, note, code)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)",
            (
                number,
                0,
                chance.choice(_NAMES),
                f"{chance.uniform(-9999, 9999):.2f}",
                f"20{chance.randrange(10, 38)}-0{chance.randrange(1, 10)}-11 10:20:30.{chance.randrange(10**6):06}",
                chance.random() < 0.5,
                raw,
                note,
                f"c{number}",
            ),
        )
        for line in range(chance.randrange(3)):
            cursor.execute(
                "INSERT INTO fault_lines (row_id, line, body) VALUES (%s, %s, %s)",
                (number, line, chance.choice(_NAMES)),
            )
        self._known.append(number)

    def _update(self, cursor: Any) -> None:
        number = self._chance.choice(self._known)
        if self._chance.random() < 0.7:
            cursor.execute(
                "UPDATE fault_rows SET v = v + 1, name = %s WHERE id = %s", (self._chance.choice(_NAMES), number)
            )
        else:
            note = f"new note {self._chance.random()}" * self._chance.choice((1, 300))
            cursor.execute("UPDATE fault_rows SET note = %s WHERE id = %s", (note, number))

    def _change_key(self, cursor: Any) -> None:
        place = self._chance.randrange(len(self._known))
        self._next_id += 1
        cursor.execute("UPDATE fault_rows SET id = %s WHERE id = %s", (self._next_id, self._known[place]))
        cursor.execute("UPDATE fault_lines SET row_id = %s WHERE row_id = %s", (self._next_id, self._known[place]))
        self._known[place] = self._next_id

    def _swap(self, cursor: Any) -> None:
        """Two rows change places, keys and unique codes: the classic trap for row-by-row apply."""
        first, second = self._chance.sample(self._known, 2)
        for column, a, b, free in (("id", first, second, -1), ("code", f"'c{first}'", f"'c{second}'", "'free'")):
            for old, new in ((a, free), (b, a), (free, b)):
                cursor.execute(f"UPDATE fault_rows SET {column} = {new} WHERE {column} = {old}")

    def _delete(self, cursor: Any) -> None:
        number = self._known.pop(self._chance.randrange(len(self._known)))
        cursor.execute("DELETE FROM fault_lines WHERE row_id = %s", (number,))
        cursor.execute("DELETE FROM fault_rows WHERE id = %s", (number,))

    def _large(self, cursor: Any) -> None:
        """A transaction that does not fit one frame."""
        for _ in range(1500):
            self._insert_or_delete(cursor)

    @staticmethod
    def _query(connection: Any, statement: str) -> list[Any]:
        with connection.cursor() as cursor:
            cursor.execute(statement)
            return list(cursor.fetchall())


class _Counted:
    """A cursor that counts the rows it changes."""

    def __init__(self, cursor: Any) -> None:
        self._cursor = cursor
        self.rows = 0

    def execute(self, statement: str, parameters: tuple[object, ...] = ()) -> None:
        self._cursor.execute(statement, parameters or None)
        self.rows += self._cursor.rowcount


class _Rollback(Exception):
    """The transaction is to be thrown away."""


def differences(source: tuple[Server, str], target: tuple[Server, str], limit: int = 5) -> list[str]:
    """Row by row and column by column; [] when both sides are equal."""
    found: list[str] = []
    for table, columns in TABLES.items():
        left, right = (_read(server, database, table, columns) for server, database in (source, target))
        found += [f"{table} {key}: missing in target" for key in sorted(left.keys() - right.keys())[:limit]]
        found += [f"{table} {key}: only in target" for key in sorted(right.keys() - left.keys())[:limit]]
        unequal = [key for key in left.keys() & right.keys() if left[key] != right[key]]
        found += [f"{table} {key}: {_unequal(columns, left[key], right[key])}" for key in sorted(unequal)[:limit]]
    return found


def _read(server: Server, database: str, table: str, columns: tuple[str, ...]) -> dict[Any, tuple[Any, ...]]:
    keys = len(_KEYS[table].split(","))
    rows = server.rows(f"SELECT {', '.join(columns)} FROM {table}", database)
    return {row[:keys]: tuple(_plain(value) for value in row) for row in rows}


def _plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, bytes | bytearray | memoryview) else value


def _unequal(columns: tuple[str, ...], left: tuple[Any, ...], right: tuple[Any, ...]) -> str:
    pairs = zip(columns, left, right, strict=True)
    return ", ".join(f"{name} {str(a)[:60]!r} != {str(b)[:60]!r}" for name, a, b in pairs if a != b)
