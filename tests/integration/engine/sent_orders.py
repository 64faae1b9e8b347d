"""The table `orders` as a reader of events has it, and changes of it while services are killed."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from tests.integration.engine.running import Link, on_source

Row = tuple[str | None, ...]


def sent(link: Link, columns: str) -> list[Row]:
    """The source's rows."""
    rows = link.source.rows(f"SELECT {columns} FROM orders ORDER BY id", link.source_database)
    return [tuple(None if value is None else str(value) for value in row) for row in rows]


def folded(events: Iterable[Mapping[str, Any]], columns: str) -> list[Row]:
    """The rows of a reader that drops repetitions by their ids."""
    rows: dict[int, dict[str, object]] = {}
    seen: set[str] = set()
    for event in events:
        if event["id"] in seen or event["operation"] == "structure":
            continue
        seen.add(event["id"])
        row = {**rows.pop(event["key"]["id"], {}), **event.get("row", {})}
        if event["operation"] != "delete":
            rows[cast("int", row["id"])] = row
    names = columns.split(", ")
    return [tuple(None if row[name] is None else str(row[name]) for name in names) for _, row in sorted(rows.items())]


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
