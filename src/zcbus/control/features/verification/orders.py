"""Verification in the tasks of subscribe services."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from sqlalchemy import Connection

from zcbus.control.features.datasource import connections
from zcbus.control.features.parameter import service as parameters
from zcbus.control.features.verification import repository
from zcbus.control.features.verification.service import can_verify
from zcbus.control.platform.outlines import Outline
from zcbus.control.platform.secrets import SecretBox
from zcbus.protocol.tasks import SubscribeTask, VerificationOrder, VerificationRequest


def with_orders(connection: Connection, secrets: SecretBox, outlines: Mapping[str, Outline]) -> dict[str, Outline]:
    """Tasks by their services, with how their tables are verified, where they are to be and can be."""
    percent = parameters.verification_percent(connection)
    tasks = {name: one.task for name, one in outlines.items() if isinstance(one.task, SubscribeTask)}
    if not percent or not tasks:
        return dict(outlines)
    channels = [task.subscription for task in tasks.values()]
    source_ids = repository.sources(connection, channels)
    sources = connections.open_known(connection, secrets, set(source_ids.values()))
    asked: dict[str, list[VerificationRequest]] = defaultdict(list)
    for row in repository.requests(connection, channels):
        asked[row.channel_id].append(VerificationRequest(table=row.table_id, number=row.number, repair=row.repair))
    found = dict(outlines)
    for name, task in tasks.items():
        source = sources.get(source_ids.get(task.subscription, ""))
        if source is not None and can_verify(source.kind, task.target.kind):
            order = VerificationOrder(source=source, percent=percent, requests=tuple(asked[task.subscription]))
            found[name] = replace(outlines[name], task=task.model_copy(update={"verification": order}))
    return found
