"""Calls about streaming the operation log."""

from zcbus.control.features.audit_stream import service
from zcbus.control.features.audit_stream.schemas import StreamRecord
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty

api = Api("audit-stream")

_MENU_KEY = "Monitor.LogProof"


@api.read("/api/zcbus/monitor/operation-log/streams", authorise(_MENU_KEY, Operation.VIEW))
def list_streams(call: Call, body: Empty) -> list[StreamRecord]:
    """Receivers of the operation log outside of the platform."""
    return service.streams(call.connection, call.services)
