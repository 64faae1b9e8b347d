"""What a repair would write: the agent of the contrast service reads the rows again and spells the statements."""

from zcbus.control.features.contrast import repository, service
from zcbus.control.features.contrast.schemas import RepairPreviewAnswer, RepairPreviewRequest, RepairStatementRecord
from zcbus.control.features.subscribe import sheet
from zcbus.control.platform.agent_requests import Destination, ask
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.model.reduction.services import is_stale
from zcbus.protocol.comparison_requests import PreviewRepair, RepairPreview


def preview(call: Call, request: RepairPreviewRequest) -> RepairPreviewAnswer:
    """Raises RecordNotFoundError, RepairContentError and what `ask` raises."""
    with call.services.database.read() as store:
        sheet.find_row(store, call.principal, request.table)
        known = repository.comparison_of(store, request.table)
        if known is None:
            raise RecordNotFoundError(kind="comparison", id=request.table)
        service.check_repairable(known.method)
        where = repository.service_location(store, known.service_id)
        task = service.tasks_of(store, call.services.secrets, [known.service_id]).get(known.service_id)
    requested = () if task is None else tuple(one for one in task.comparisons if one.id == known.id)
    if task is None or not requested:
        raise RecordNotFoundError(kind="comparison", id=request.table)
    silent = is_stale(where.heartbeat_at, call.services.clock.now())
    destination = Destination(where.container_id, where.name, None if silent else where.agent_id)
    question = PreviewRepair(task=task.model_copy(update={"comparisons": requested}), limit=request.rows)
    found = ask(call.services, destination, question, RepairPreview)
    return RepairPreviewAnswer(
        settings=list(found.settings),
        statements=[
            RepairStatementRecord(kind=one.kind, key=list(one.key), statement=one.statement) for one in found.statements
        ],
        examined=found.examined,
        total=found.total,
        cut=found.cut,
    )
