"""Rows that verification found. They are stored with the service that found them, so its agent is asked."""

from zcbus.control.features.contrast.differences import answer
from zcbus.control.features.contrast.schemas import DifferencePage, DifferencePageRequest
from zcbus.control.features.subscribe import sheet
from zcbus.control.platform.call import Call


def page(call: Call, request: DifferencePageRequest) -> DifferencePage:
    """A page of them. Raises RecordNotFoundError and what `ask` raises."""
    with call.services.database.read() as store:
        row = sheet.find_row(store, call.principal, request.table)
    if not row.differences:
        return DifferencePage(columns=[], key=[], records=[], total=0)
    return answer(call, request, row.subscribe_service_id, row.id)
