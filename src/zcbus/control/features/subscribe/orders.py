"""Tasks of services that publish or apply tables. Where one agent has both sides of a table, the two tasks agree on who
reads its rows."""

from collections.abc import Collection

from sqlalchemy import Connection

from zcbus.control.features.publish import service as publish
from zcbus.control.features.subscribe import service_tasks
from zcbus.control.platform.outlines import Outline
from zcbus.control.platform.secrets import SecretBox
from zcbus.protocol.tasks import PublishTask


def outlines_of(connection: Connection, secrets: SecretBox, service_ids: Collection[str]) -> dict[str, Outline]:
    """The tasks of an agent's services of both kinds; one deleted meanwhile has none."""
    direct = service_tasks.tables_read_directly(connection, service_ids, service_ids)
    published = publish.outlines_of(connection, secrets, service_ids, direct)
    sources = {one.task.node: one.task.source for one in published.values() if isinstance(one.task, PublishTask)}
    return {**published, **service_tasks.outlines_of(connection, secrets, service_ids, sources, direct)}
