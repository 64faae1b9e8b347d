"""Calls about the message bus. A container's agent is asked: the control plane opens no bus."""

from zcbus.control.features.message_bus import buses, deletion, records, retention, topics
from zcbus.control.features.message_bus.schemas import (
    RECORDS,
    BusRecord,
    BusRecordChoice,
    BusRecordDetail,
    BusRecordPage,
    BusRecordPageRequest,
    BusTopicDetail,
    BusTopicPage,
    BusTopicPageRequest,
    DeletionPreview,
    RetentionChoice,
    RetentionPreview,
    TopicChoice,
    TopicDeletion,
)
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty

api = Api("message-bus")

MENU_KEY = "system/zbmq-management"
_BASE = "/api/zcbus/system/zbmq"
_VIEW = authorise(MENU_KEY, Operation.VIEW)
_EDIT = authorise(MENU_KEY, Operation.EDIT)
_DELETE = authorise(MENU_KEY, Operation.DELETE)


@api.read(f"{_BASE}/bus/list", _VIEW)
def list_buses(call: Call, body: Empty) -> list[BusRecord]:
    """Containers that the caller may use, with their buses."""
    return buses.list_buses(call)


@api.read(f"{_BASE}/topic/page", _VIEW, unit=Unit.OWN, lists=topics.TOPICS)
def page(call: Call, body: BusTopicPageRequest) -> BusTopicPage:
    """Topics of a bus, by name: those of the publish nodes that the caller may see. Callers of the whole platform see
    topics without a publish node as well."""
    return topics.page_topics(call, body)


@api.read(f"{_BASE}/topic/get", _VIEW, unit=Unit.OWN)
def get(call: Call, body: TopicChoice) -> BusTopicDetail:
    """A topic with its readers and how far they are."""
    return topics.topic_detail(call, body)


@api.read(f"{_BASE}/record/page", _VIEW, unit=Unit.OWN, lists=RECORDS)
def page_records(call: Call, body: BusRecordPageRequest) -> BusRecordPage:
    """Records of a real or full topic, the newest first, without values."""
    return records.page_records(call, body)


@api.change(f"{_BASE}/record/get", _VIEW, unit=Unit.OWN)
def read_record(call: Call, body: BusRecordChoice) -> BusRecordDetail:
    """Rows of one record. Values need `System.BusValues`; columns that are masked for a subscriber stay masked."""
    return records.read_record(call, body)


@api.read(f"{_BASE}/retention/preview", _EDIT, unit=Unit.OWN)
def preview_retention(call: Call, body: RetentionChoice) -> RetentionPreview:
    """What another retention removes, and who still needs it."""
    return retention.preview(call, body)


@api.change(f"{_BASE}/retention/edit", _EDIT)
def edit_retention(call: Call, body: RetentionChoice) -> None:
    """Set for how long a publish node's topics keep their records."""
    retention.change(call, call.connection, body)


@api.read(f"{_BASE}/topic/preview", _DELETE, unit=Unit.OWN)
def preview_deletion(call: Call, body: TopicChoice) -> DeletionPreview:
    """What the deletion of a topic breaks, and whether it is possible."""
    return deletion.preview(call, body)


@api.change(f"{_BASE}/topic/delete", _DELETE, unit=Unit.OWN)
def delete(call: Call, body: TopicDeletion) -> None:
    """Delete a topic with all its records. Codes 40104 and 40105 speak of the captcha."""
    deletion.delete(call, body)
