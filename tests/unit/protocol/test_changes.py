"""Tasks of thousands of tables are handed on as what changed of them."""

import pytest

from zcbus.model.states import DesiredState
from zcbus.protocol.agent import Order, Orders
from zcbus.protocol.base import Connection, TableRef
from zcbus.protocol.changes import changed_task, changes_between, completed
from zcbus.protocol.tasks import ComparisonTask, PublishedTable, PublishTask, SubscribedTable, SubscribeTask
from zcbus.protocol.worker_input import TaskChanges

SOURCE = Connection(kind="postgresql", options={"host": "h", "port": 1, "user": "u", "database": "d"})


def published(name: str, generation: int = 1) -> PublishedTable:
    return PublishedTable(id=name, source=TableRef(schema_name="public", table=name), generation=generation)


def publishing(*tables: PublishedTable, retention: int = 72) -> PublishTask:
    return PublishTask(service="p", node="n", source=SOURCE, tables=tables, retention_hours=retention)


def applying(*names: str) -> SubscribeTask:
    tables = tuple(
        SubscribedTable(id=name, published=name, source=published(name).source, target=published(name).source)
        for name in names
    )
    return SubscribeTask(service="s", subscription="s", node="n", source_kind="mysql", target=SOURCE, tables=tables)


def test_only_changes_are_sent_and_rebuild_the_whole_task() -> None:
    before = publishing(published("a"), published("b"), published("c"))
    after = publishing(published("a"), published("c", generation=2), published("d"), retention=5)
    sent = changes_between(before, after)
    assert isinstance(sent, TaskChanges)
    assert [table.id for table in sent.task.tables] == ["c", "d"]
    assert sent.removed == ("b",)
    assert changed_task(before, TaskChanges.model_validate_json(sent.model_dump_json())) == after


def test_a_task_without_tables_of_its_kind_is_sent_whole() -> None:
    contrast = ComparisonTask(service="c", node="n", source=SOURCE, target=SOURCE, comparisons=())
    assert changes_between(publishing(), contrast) is contrast
    assert changes_between(applying("a"), publishing()) == publishing()


def test_changes_of_another_kind_of_task_are_refused() -> None:
    with pytest.raises(ValueError, match="subscribe"):
        changed_task(publishing(), TaskChanges(task=applying("a")))


def order(task: PublishTask | SubscribeTask, removed: tuple[str, ...] | None = None) -> Order:
    return Order(service=task.service, desired=DesiredState.RUNNING, task=task, removed=removed)


def test_orders_are_completed_from_the_edition_that_is_held_and_from_no_other() -> None:
    held = Orders(version="1", edition="e1", orders=(order(publishing(published("a"))), order(applying("x", "y"))))
    sent = Orders(version="2", edition="e2", since="e1", unchanged=("p",), orders=(order(applying("z"), ("x",)),))
    whole = completed(held, sent)
    assert whole is not None
    tasks = {one.service: one.task for one in whole.orders}
    assert tasks == {"p": publishing(published("a")), "s": applying("y", "z")}
    assert [(one.removed, whole.since, whole.unchanged, whole.edition) for one in whole.orders] == [
        (None, "", (), "e2")
    ] * 2
    assert completed(held.model_copy(update={"edition": "e0"}), sent) is None
    assert completed(None, sent) is None
    assert completed(None, held) is held


def test_a_service_that_is_neither_unchanged_nor_ordered_is_gone() -> None:
    held = Orders(version="1", edition="e1", orders=(order(publishing()), order(applying("x"))))
    whole = completed(held, Orders(version="2", edition="e2", since="e1", unchanged=("s",), orders=()))
    assert whole is not None
    assert [one.service for one in whole.orders] == ["s"]
