"""Chinook, the public sample database of a shop for music: real names in many scripts, foreign keys, mixed-case names.

Source: https://github.com/lerocha/chinook-database (MIT), as the Maven artifact `net.hydromatic:chinook-data-hsqldb`
(Apache-2.0) brings it.
"""

import itertools
import re
from collections.abc import Iterator

from tests.servers.base import Server
from tests.servers.maven import file_in

TABLES = {
    "Album": "AlbumId",
    "Artist": "ArtistId",
    "Customer": "CustomerId",
    "Employee": "EmployeeId",
    "Genre": "GenreId",
    "Invoice": "InvoiceId",
    "InvoiceLine": "InvoiceLineId",
    "MediaType": "MediaTypeId",
    "Playlist": "PlaylistId",
    "PlaylistTrack": "PlaylistId,TrackId",
    "Track": "TrackId",
}
"""With the columns of their keys."""
_FOREIGN_KEY = re.compile(r',(CONSTRAINT "FK_\w+" FOREIGN KEY\("\w+"\) REFERENCES [^)]+\))')
_ESCAPED = re.compile(r"\\u([0-9a-f]{4})")
_MYSQL_MODE = "SET SESSION sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES', foreign_key_checks = 0"
_ROWS_A_STATEMENT = 1000


def create(server: Server, database: str) -> None:
    """Make and fill all tables. Raises ServerNotAvailable where the data cannot be had."""
    script = file_in("net.hydromatic:chinook-data-hsqldb:0.2", "chinook.script").read_text("ascii")
    with server.connect(database) as connection, connection.cursor() as cursor:
        if server.kind == "mysql":
            cursor.execute(_MYSQL_MODE)
        for statement in _statements(script):
            cursor.execute(statement)
        connection.commit()


def _statements(script: str) -> Iterator[str]:
    lines = [line.replace('"chinook".', "") for line in script.splitlines()]
    tables = [line for line in lines if line.startswith("CREATE MEMORY TABLE")]
    for line in tables:
        yield _FOREIGN_KEY.sub("", line.replace(" MEMORY", ""))
    yield from _rows([line for line in lines if line.startswith('INSERT INTO "')])
    for line in tables:
        name = line.split("(")[0].removeprefix("CREATE MEMORY TABLE ")
        yield from (f"ALTER TABLE {name} ADD {key}" for key in _FOREIGN_KEY.findall(line))
    yield from (line for line in lines if line.startswith("ALTER TABLE"))
    yield 'CREATE VIEW "Sales" AS SELECT "CustomerId", sum("Total") AS "Total" FROM "Invoice" GROUP BY "CustomerId"'


def _rows(inserts: list[str]) -> Iterator[str]:
    """Many rows in one statement."""
    pairs = (line.split(" VALUES", 1) for line in inserts)
    for head, group in itertools.groupby(pairs, key=lambda pair: pair[0]):
        rows = [_ESCAPED.sub(lambda found: chr(int(found[1], 16)), row) for _, row in group]
        for start in range(0, len(rows), _ROWS_A_STATEMENT):
            yield f"{head} VALUES {', '.join(rows[start : start + _ROWS_A_STATEMENT])}"
