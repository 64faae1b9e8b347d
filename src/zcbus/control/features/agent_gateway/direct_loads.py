"""Which full loads need not go over the bus."""

from collections.abc import Mapping

from sqlalchemy import Connection

from zcbus.control.features.subscribe import service as subscribe
from zcbus.protocol.data_service import DataServiceTask
from zcbus.protocol.tasks import ContrastTask, PublishTask, StreamTask, SubscribeTask, Task


def with_direct_loads(connection: Connection, tasks: Mapping[str, Task]) -> dict[str, Task]:
    """An agent's tasks. Where it works on both sides of a table, and nobody else subscribes the table, the subscriber
    reads the rows of a full load from the source itself: the source's connection is on that host anyway."""
    nodes = {task.node: task for task in tasks.values() if isinstance(task, PublishTask)}
    only = subscribe.tables_with_one_reader(connection, nodes)
    read = {
        table.published
        for task in tasks.values()
        if isinstance(task, SubscribeTask) and task.node in nodes
        for table in task.tables
        if table.published in only
    }
    return {service: _directly(task, nodes, read) for service, task in tasks.items()}


def _directly(task: Task, nodes: Mapping[str, PublishTask], read: set[str]) -> Task:
    if isinstance(task, ContrastTask | DataServiceTask | StreamTask):
        return task
    if isinstance(task, PublishTask):
        published = [table.model_copy(update={"direct": table.id in read}) for table in task.tables]
        return task.model_copy(update={"tables": tuple(published)})
    subscribed = [table.model_copy(update={"direct": table.published in read}) for table in task.tables]
    source = nodes[task.node].source if task.node in nodes else None
    return task.model_copy(update={"tables": tuple(subscribed), "source": source})
