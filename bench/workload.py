"""Changes as an application makes them: transactions of inserts, updates and deletes on `orders`."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tests.servers.base import Server

from bench import mixed
from bench.databases import COLUMNS, insert_statement

INSERTS, UPDATES, DELETES = 1000, 300, 50
"""Per step; each of the three is a transaction."""
CHANGES = INSERTS + UPDATES + DELETES


@dataclass(frozen=True)
class Workload:
    """A table `orders` with an `id`, and what happens to it in steps."""

    columns: Mapping[str, str]
    """By kind of server."""
    inserts: int
    """Per step, by ids that count up."""
    changes: int
    """Per step."""
    statements: Callable[[Server, int], Iterator[str]]
    """Those of a step that inserts from this id on; each is a transaction."""

    def make_table(self, server: Server, database: str) -> None:
        """The empty table."""
        server.execute(f"CREATE TABLE orders ({self.columns[server.kind]})", database)

    def make_changes(self, server: Server, database: str, first: int, steps: int) -> int:
        """Make so many steps, inserting ids from `first` on. Returns the number of changes."""
        with server.connect(database) as connection:
            cursor = connection.cursor()
            for step in range(steps):
                for statement in self.statements(server, first + step * self.inserts):
                    cursor.execute(statement)
        return steps * self.changes


def make_changes(server: Server, database: str, first: int, steps: int) -> int:
    """Those of the usual workload; see Workload."""
    return WORKLOADS["usual"].make_changes(server, database, first, steps)


def _usual(server: Server, begin: int) -> Iterator[str]:
    end = begin + INSERTS - 1
    yield insert_statement(server, begin, end)
    note = {"postgresql": "status || note", "mysql": "CONCAT(status, note)"}[server.kind]
    pick = f"WHERE id BETWEEN {begin} AND {end} AND id %"
    yield f"UPDATE orders SET quantity = coalesce(quantity, 0) + 1, note = {note} {pick} 10 IN (1, 2, 3)"
    yield f"DELETE FROM orders {pick} 20 = 0"


WORKLOADS = {
    "usual": Workload(COLUMNS, INSERTS, CHANGES, _usual),
    "mixed": Workload(mixed.COLUMNS, mixed.INSERTS, mixed.CHANGES, mixed.statements),
}
