"""The table `orders` as a reader of events has it, and changes of it while services are killed."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tests.integration.engine.running import Link, on_source

Row = tuple[str | None, ...]


def sent(link: Link, columns: str) -> list[Row]:
    """The source's rows."""
    rows = link.source.rows(f"SELECT {columns} FROM orders ORDER BY id", link.source_database)
    return [tuple(None if value is None else str(value) for value in row) for row in rows]


def folded(events: Iterable[Mapping[str, Any]], columns: str) -> list[Row]:
    """The rows of a reader, ordered by the key."""
    names = columns.split(", ")
    rows = sorted(kept(events), key=lambda row: int(row["id"]))
    return [tuple(None if row[name] is None else str(row[name]) for name in names) for row in rows]


def kept(events: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rows that a reader keeps, who drops repetitions by their ids."""
    rows: dict[tuple[object, ...], dict[str, Any]] = {}
    seen: set[str] = set()
    for event in events:
        if event["id"] in seen or event["operation"] == "structure":
            continue
        seen.add(event["id"])
        row = {**rows.pop(tuple(event["key"].values()), {}), **event.get("row", {})}
        if event["operation"] != "delete":
            rows[tuple(row[name] for name in event["key"])] = row
    return list(rows.values())


def change_through_kills(link: Link, *kills: Callable[[], object]) -> None:
    """Changes that add to what was there, so one that is lost, or comes too late, shows; after each, one of `kills`."""
    for round_, kill in enumerate(kills, 1):
        first = 10_000 * round_
        on_source(
            link,
            f"INSERT INTO orders SELECT n, 'n ' || n, 1, '' FROM generate_series({first}, {first + 100}) n",
            "UPDATE orders SET amount = amount + 1 WHERE id % 3 = 0",
            f"DELETE FROM orders WHERE id % 97 = {round_}",
            f"UPDATE orders SET id = -id WHERE id % 89 = {round_} AND body = ''",
        )
        kill()


def kill_service(link: Link) -> Callable[[], object]:
    """Of the process that applies."""

    def kill() -> None:
        link.subscriber.kill()
        link.subscriber.start()

    return kill


def kill_server(server: Any) -> Callable[[], object]:
    """Of a server that can be killed and started."""

    def kill() -> None:
        server.kill()
        server.start()

    return kill
