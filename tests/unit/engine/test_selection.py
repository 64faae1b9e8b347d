"""Which changes of a publish task capture can follow while it runs."""

import pytest

from zcbus.engine.publish.selection import new_snapshots
from zcbus.protocol.base import Connection, TableRef
from zcbus.protocol.tasks import PublishedTable, PublishTask

SOURCE = Connection(kind="postgresql", options={"host": "127.0.0.1", "port": 1, "user": "u", "database": "d"})


def table(name: str, **more: object) -> PublishedTable:
    source = TableRef(schema_name="public", table=name)
    return PublishedTable.model_validate({"id": name, "source": source, "generation": 1, **more})


def task(*tables: PublishedTable, **more: object) -> PublishTask:
    return PublishTask.model_validate({"service": "s", "node": "n", "source": SOURCE, "tables": tables, **more})


BEFORE = task(table("a"), table("b"))


def test_new_snapshots_need_no_new_capture() -> None:
    new = table("b", generation=2, direct=True)
    assert new_snapshots(BEFORE, task(table("a"), new)) == [new]
    assert new_snapshots(BEFORE, BEFORE) == []


@pytest.mark.parametrize(
    "new",
    [
        task(table("a")),
        task(table("a"), table("b"), table("c")),
        task(table("a"), table("b", generation=2, gap=1)),
        task(table("a"), table("b", generation=2, key=("id",))),
        task(table("a"), table("b", generation=2, append_only=True)),
        task(table("a"), table("b", direct=True)),
        task(table("a"), table("b", generation=0)),
        task(table("a"), table("b", generation=2), retention_hours=1),
    ],
    ids=["less", "more", "gap", "key", "append-only", "direct", "no-snapshot", "retention"],
)
def test_everything_else_does(new: PublishTask) -> None:
    assert new_snapshots(BEFORE, new) is None
