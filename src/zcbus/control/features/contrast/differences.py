"""Rows that comparisons found. They are stored with the service that made them, so its agent is asked."""

from zcbus.control.features.contrast import repository
from zcbus.control.features.contrast.schemas import DifferencePage, DifferencePageRequest, DifferenceRecord
from zcbus.control.features.subscribe import sheet
from zcbus.control.platform.agent_requests import Destination, ask
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import ALL
from zcbus.model.comparison import Difference
from zcbus.model.reduction.services import is_stale
from zcbus.protocol.comparison_requests import DifferenceLines, ListDifferences

_MAX_PAGE_SIZE = 1_000


def page(call: Call, request: DifferencePageRequest) -> DifferencePage:
    """A page of them. Raises RecordNotFoundError and what `ask` raises."""
    with call.services.database.read() as store:
        sheet.find_row(store, call.principal, request.table)
        known = repository.comparison_of(store, request.table)
        if known is None:
            raise RecordNotFoundError(kind="comparison", id=request.table)
    return answer(call, request, known.service_id, known.id)


def answer(call: Call, request: DifferencePageRequest, service: str, kept_as: str) -> DifferencePage:
    """The differences that a service stores under a name. Raises what `ask` raises; must not be called inside a
    transaction."""
    with call.services.database.read() as store:
        where = repository.service_location(store, service)
    everything = request.size == ALL
    question = ListDifferences(
        service=service,
        comparison=kept_as,
        kinds=tuple(request.kind),
        search=request.search,
        offset=0 if everything else (request.current - 1) * request.size,
        limit=_MAX_PAGE_SIZE if everything else request.size,
    )
    silent = is_stale(where.heartbeat_at, call.services.clock.now())
    destination = Destination(where.container_id, where.name, None if silent else where.agent_id)
    found = ask(call.services, destination, question, DifferenceLines)
    records = [_record(line, found.columns) for line in found.lines]
    return DifferencePage(columns=list(found.columns), key=list(found.key), records=records, total=found.total)


def _record(line: Difference, columns: tuple[str, ...]) -> DifferenceRecord:
    return DifferenceRecord(
        kind=line.kind,
        key=list(line.key),
        source=None if line.source is None else [line.source.get(name) for name in columns],
        target=None if line.target is None else [line.target.get(name) for name in columns],
        differing=list(line.columns),
    )
