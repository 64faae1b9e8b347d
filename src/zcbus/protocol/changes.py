"""Changes of tasks, so that tasks of thousands of tables are not sent completely every time.

Changes of a task with tables are the task with only the new or changed tables, and the ids of removed ones. All other
tables stay as the receiver has them. Both sides must know the receiver's version: orders name it by their edition,
and a worker has the task that its agent sent through the pipe.
"""

from collections.abc import Collection

from zcbus.protocol.agent import Order, Orders
from zcbus.protocol.tasks import TableTask, Task
from zcbus.protocol.worker_input import TaskChanges


def changes_between(before: Task, after: Task) -> Task | TaskChanges:
    """The message for a receiver that has the task `before`: changes, or a task without tables."""
    if isinstance(before, TableTask) and isinstance(after, TableTask) and type(before) is type(after):
        return _changes(before, after)
    return after


def changed_task(before: Task, changes: TaskChanges) -> Task:
    """The complete task of a receiver that has `before`. Raises ValueError if the kinds differ."""
    after = changes.task
    if isinstance(before, TableTask) and type(before) is type(after):
        return _merged(before, after, changes.removed)
    raise ValueError(f"changes of a task {after.type} for one {before.type}")


def completed(current: Orders | None, received: Orders) -> Orders | None:
    """Complete orders from the current ones and a message; None if it applies to another edition."""
    if not received.since:
        return received
    if current is None or current.edition != received.since:
        return None
    before = {order.service: order for order in current.orders}
    unchanged = [before[service] for service in received.unchanged]
    changed = [_completed_order(before.get(order.service), order) for order in received.orders]
    return received.model_copy(update={"since": "", "unchanged": (), "orders": (*unchanged, *changed)})


def _completed_order(before: Order | None, received: Order) -> Order:
    if received.removed is None or before is None or not isinstance(received.task, TableTask):
        return received
    task = changed_task(before.task, TaskChanges(task=received.task, removed=received.removed))
    return received.model_copy(update={"task": task, "removed": None})


def _changes(before: TableTask, after: TableTask) -> TaskChanges:
    remaining = {table.id: table for table in before.tables}
    # Most are identical objects, which compare fast.
    changed = tuple(table for table in after.tables if remaining.pop(table.id, None) != table)
    return TaskChanges(task=after.model_copy(update={"tables": changed}), removed=tuple(remaining))


def _merged(before: TableTask, after: TableTask, removed: Collection[str]) -> TableTask:
    newer = {table.id: table for table in after.tables}
    removed_ids = set(removed)
    tables = [newer.pop(table.id, table) for table in before.tables if table.id not in removed_ids]
    tables.extend(newer.values())
    return after.model_copy(update={"tables": tuple(tables)})
