"""Calls of the operation log."""

from zcbus.control.features.operation_log import queries
from zcbus.control.features.operation_log.schemas import (
    OPERATIONS,
    OperationDetail,
    OperationRecord,
    RecordPageRequest,
    RecordRequest,
)
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.menus import Operation
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.routing import Api

api = Api("operation-log")

_VIEW = authorise("monitor/operation-log", Operation.VIEW)


@api.read("/api/zcbus/monitor/operation-log/page", _VIEW, lists=OPERATIONS)
def page(call: Call, body: RecordPageRequest) -> Page[OperationRecord]:
    """Records of the operation log by page, the newest first."""
    return answer_page(call, body, queries.listing(call.principal, body))


@api.read("/api/zcbus/monitor/operation-log/get", _VIEW)
def get(call: Call, body: RecordRequest) -> OperationDetail:
    """One record with the values before and after."""
    row = queries.find(call.connection, call.principal, body.id)
    if row is None:
        raise RecordNotFoundError(kind="operation-record", id=body.id)
    return OperationDetail.of_row(row)
