"""Deletion of topics, and what it breaks."""

from collections.abc import Sequence

from zcbus.bus.topics import TopicRole, is_emitted_topic
from zcbus.control.features.captcha.deletion import confirm_deletion_apart
from zcbus.control.features.message_bus.errors import (
    TopicBeingLoadedError,
    TopicInUseError,
    TopicNotTypedError,
    TopicOfNodeError,
    TopicOfTargetError,
)
from zcbus.control.features.message_bus.readers import Reader, record_of
from zcbus.control.features.message_bus.schemas import DeletionPreview, TopicChoice, TopicDeletion
from zcbus.control.features.message_bus.topics import WITH_DATA, Topic, find_topic, readers_in
from zcbus.control.platform.agent_requests import ask
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import BusinessError
from zcbus.model.services import WITHOUT_PROCESS
from zcbus.model.states import DesiredState, ServiceState
from zcbus.protocol.answers import Done
from zcbus.protocol.bus_inspection import DeleteTopic

_ENDED = WITHOUT_PROCESS | {ServiceState.ABNORMAL}
_MAX_NAMES = 5


def preview(call: Call, choice: TopicChoice) -> DeletionPreview:
    """What the deletion of a topic breaks. Asks an agent. Raises RecordNotFoundError."""
    _, topic = find_topic(call, choice)
    readers = readers_in(call, [topic]).get(topic.name, ())
    obstacle = _obstacle(topic, readers)
    return DeletionPreview(
        refused=call.text(obstacle.code, **obstacle.facts) if obstacle is not None else "",
        node_name=topic.node_name,
        records=topic.records,
        size_bytes=topic.line.size_bytes,
        readers=[record_of(reader, topic.line, None) for reader in readers],
        tables=sum(reader.tables for reader in readers),
    )


def delete(call: Call, request: TopicDeletion) -> None:
    """Delete a topic by an agent. Raises TopicNotTypedError, TopicOfNodeError, TopicOfTargetError, TopicInUseError,
    TopicBeingLoadedError, RecordNotFoundError and what `confirm_deletion_apart` and `ask` raise."""
    confirm_deletion_apart(call, request)
    bus, topic = find_topic(call, TopicChoice(container_id=request.container_id, topic=request.topic))
    readers = readers_in(call, [topic]).get(topic.name, ())
    call.audit.subject = topic.name
    call.audit.before = {
        "node": topic.node_name,
        "records": topic.records,
        "bytes": topic.line.size_bytes,
        "readers": [f"{reader.owner}: {reader.name}" for reader in readers],
    }
    if request.typed != topic.name:
        raise TopicNotTypedError(topic=topic.name)
    if (obstacle := _obstacle(topic, readers)) is not None:
        raise obstacle
    with call.services.database.write() as store:
        call.record_begun(store)
    ask(call.services, bus.destination, DeleteTopic(topic=topic.name), Done)


def _obstacle(topic: Topic, readers: Sequence[Reader]) -> BusinessError | None:
    """Why a topic cannot be deleted now."""
    node = topic.node
    if is_emitted_topic(topic.name):
        return TopicOfTargetError(topic=topic.name)
    if node is None:
        return None
    if topic.role not in WITH_DATA:
        return TopicOfNodeError(topic=topic.name, node=node.name)
    if topic.role is TopicRole.REAL:
        is_ended = node.desired != DesiredState.RUNNING and node.current_state in _ENDED
        return None if is_ended else TopicInUseError(topic=topic.name, node=node.name)
    if readers:
        names = [reader.name for reader in readers]
        more = ", …" if len(names) > _MAX_NAMES else ""
        return TopicBeingLoadedError(topic=topic.name, count=len(names), tables=", ".join(names[:_MAX_NAMES]) + more)
    return None
