"""Records of the link monitor."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from zcbus.control.features.datasource.schemas import ConnectionRecord
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.reasons import ReasonRecord
from zcbus.control.platform.schema import Schema
from zcbus.model.services import ApplyingClient


class Hop(StrEnum):
    """Stages in the order in which a heartbeat passes them."""

    # From the source to its capture.
    CAPTURE = "capture"
    # Durable on the bus.
    BUS = "bus"
    # From the bus to its apply.
    APPLY = "apply"
    # Committed in the target.
    TARGET = "target"


class BeatState(StrEnum):
    """State of a link's heartbeat. Standing: for half a minute none has reached some hop. Unmeasured: no process has
    reported one yet. Stopped: one of its services is not to run."""

    BEATING = "beating"
    STANDING = "standing"
    UNMEASURED = "unmeasured"
    STOPPED = "stopped"


class MonitorPageRequest(PageRequest):
    """`search`: part of the name of a link, a subscriber, a channel or a node, or of where a database is."""

    search: str | None = Field(default=None, max_length=200)
    state: list[BeatState] | None = None


class HopRecord(Schema):
    """The newest heartbeat at a hop. `at`: when it got there, `ageMs` ago; null: none is known of. `tookMs`: from the
    hop before; null: not measured yet. `serviceId`: the service that measured it, whose metrics have its history."""

    hop: Hop
    state: BeatState
    at: datetime | None
    age_ms: int | None
    took_ms: int | None
    service_id: str


class MonitorRecord(Schema):
    """A way from a source to a target: a channel. `name`: its sync link's, else its subscriber's. `standsAt`: the first
    hop that no heartbeat reaches. `tookMs`: over all hops; null where one is not measured. `reason`: reported by its
    services."""

    id: str
    name: str
    channel_name: str
    node_name: str
    link_id: str | None
    customer_id: str
    client_type: ApplyingClient
    source: ConnectionRecord
    target: ConnectionRecord
    state: BeatState
    stands_at: Hop | None
    reason: ReasonRecord | None
    hops: list[HopRecord]
    took_ms: int | None
    arrived_at: datetime | None


MONITORED = ListDefinition[MonitorRecord](
    MonitorRecord,
    {
        "name": "name",
        "state": "state",
        **{hop.value: f"{hop}_ms" for hop in Hop},
        "tookMs": "took_ms",
        "arrivedAt": "target_at",
    },
)
