"""Changes as an application makes them: transactions of inserts, updates and deletes on `orders`."""

from tests.servers.base import Server

from bench.databases import insert_statement

INSERTS, UPDATES, DELETES = 1000, 300, 50
"""Per step; each of the three is a transaction."""
CHANGES = INSERTS + UPDATES + DELETES


def make_changes(server: Server, database: str, first: int, steps: int) -> int:
    """Insert ids from `first` on, update and delete some of them. Returns the number of changes."""
    change = {"postgresql": _POSTGRESQL, "mysql": _MARIADB}[server.kind]
    with server.connect(database) as connection:
        cursor = connection.cursor()
        for step in range(steps):
            begin = first + step * INSERTS
            cursor.execute(insert_statement(server, begin, begin + INSERTS - 1))
            for statement in change:
                cursor.execute(statement.format(begin=begin, end=begin + INSERTS - 1))
    return steps * CHANGES


_PICK = "WHERE id BETWEEN {begin} AND {end} AND id %"
_POSTGRESQL = (
    f"UPDATE orders SET quantity = coalesce(quantity, 0) + 1, note = status || note {_PICK} 10 IN (1, 2, 3)",
    f"DELETE FROM orders {_PICK} 20 = 0",
)
_MARIADB = (
    f"UPDATE orders SET quantity = coalesce(quantity, 0) + 1, note = CONCAT(status, note) {_PICK} 10 IN (1, 2, 3)",
    f"DELETE FROM orders {_PICK} 20 = 0",
)
