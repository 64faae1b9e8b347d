"""JSON topics that are used again while an agent has still to remove them after a deleted publish node."""

from collections.abc import Collection

from sqlalchemy import Connection

from zcbus.control.platform.agent_requests import change_jobs
from zcbus.control.platform.secrets import SecretBox
from zcbus.protocol.requests import DropSource, Request


def keep_json_topics(connection: Connection, secrets: SecretBox, names: Collection[str]) -> None:
    """Let waiting jobs after deleted nodes leave these topics, which have a new owner."""

    def without_topic(request: Request) -> Request:
        if isinstance(request, DropSource) and request.json_topic in names:
            return request.model_copy(update={"json_topic": ""})
        return request

    if names:
        change_jobs(connection, secrets, without_topic)
