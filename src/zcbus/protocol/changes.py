"""Tasks of thousands of tables are handed on as what changed of them.

A task with tables is told by its parts: the task with those of its tables that are new or changed, and the ids of those
that are gone; all others stay as the receiver has them. What is needed to tell it so is that both sides know what the
receiver has: orders say so by their edition, and a worker has what its agent gave it through the pipe.
"""

from collections.abc import Collection

from zcbus.protocol.agent import Order, Orders
from zcbus.protocol.tasks import TableTask, Task
from zcbus.protocol.worker_input import TaskChanges


def changes_between(before: Task, after: Task) -> Task | TaskChanges:
    """What to tell a receiver that has the task `before`: all of the new one where it has no tables of its kind."""
    if isinstance(before, TableTask) and isinstance(after, TableTask) and type(before) is type(after):
        return _changes(before, after)
    return after


def changed_task(before: Task, changes: TaskChanges) -> Task:
    """The whole task of a receiver that has `before`. Raises ValueError where it is of another kind."""
    after = changes.task
    if isinstance(before, TableTask) and type(before) is type(after):
        return _merged(before, after, changes.removed)
    raise ValueError(f"changes of a task {after.type} for one {before.type}")


def completed(held: Orders | None, told: Orders) -> Orders | None:
    """All orders, from those that are held and what was told of them; None: they are not those that were meant."""
    if not told.since:
        return told
    if held is None or held.edition != told.since:
        return None
    before = {order.service: order for order in held.orders}
    kept = [before[service] for service in told.unchanged]
    changed = [_completed_order(before.get(order.service), order) for order in told.orders]
    return told.model_copy(update={"since": "", "unchanged": (), "orders": (*kept, *changed)})


def _completed_order(before: Order | None, told: Order) -> Order:
    if told.removed is None or before is None or not isinstance(told.task, TableTask):
        return told
    task = changed_task(before.task, TaskChanges(task=told.task, removed=told.removed))
    return told.model_copy(update={"task": task, "removed": None})


def _changes(before: TableTask, after: TableTask) -> TaskChanges:
    known = {table.id: table for table in before.tables}
    # Most are the very same objects; the others are compared by what they say.
    changed = tuple(table for table in after.tables if known.pop(table.id, None) != table)
    return TaskChanges(task=after.model_copy(update={"tables": changed}), removed=tuple(known))


def _merged(before: TableTask, after: TableTask, removed: Collection[str]) -> TableTask:
    newer = {table.id: table for table in after.tables}
    gone = set(removed)
    tables = [newer.pop(table.id, table) for table in before.tables if table.id not in gone]
    tables.extend(newer.values())
    return after.model_copy(update={"tables": tuple(tables)})
