"""Records of the flow path."""

from pydantic import Field

from zcbus.control.features.container.schemas import ServiceRecord
from zcbus.control.features.datasource.schemas import ConnectionRecord
from zcbus.control.features.publish.schemas import NodeRecord
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.schema import Schema
from zcbus.model.services import ApplyingClient


class FlowPageRequest(PageRequest):
    """`search`: part of the name of a node, a receiver or a sync link, or of where a database is."""

    size: int = Field(default=20, ge=1, le=100)
    search: str | None = Field(default=None, max_length=200)


class FlowSubscription(Schema):
    """A receiver of a node's tables by one channel. `bcpId`: its service, `parentId`: the node it receives from.
    `name`: the sync link's, else the customer's. Figures are those of its tables; `lagMs` None: not measured."""

    id: str
    bcp_id: str
    parent_id: str
    name: str
    channel_name: str
    client_type: ApplyingClient
    target: ConnectionRecord
    service: ServiceRecord
    tables: int
    failed: int
    rows_per_second: float
    lag_ms: int | None
    link_id: str | None


class FlowRecord(Schema):
    """A source with all that follows it: its node and publish service, and every channel that receives from it. `id`:
    the node, `bcpId`: its service; `parentId` is null, since nothing stands before a source."""

    id: str
    bcp_id: str
    parent_id: str | None = None
    node: NodeRecord
    service: ServiceRecord
    subscriptions: list[FlowSubscription]


FLOWS = ListDefinition[FlowRecord](FlowRecord)
"""In its own order only."""
