"""Calls about computations."""

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.datasource import connections
from zcbus.control.features.stream import listing, service
from zcbus.control.features.stream.errors import ComputationRefusedError
from zcbus.control.features.stream.schemas import (
    COMPUTATIONS,
    INPUTS,
    ComputationAction,
    ComputationChange,
    ComputationCheckRecord,
    ComputationChoice,
    ComputationColumn,
    ComputationDefinition,
    ComputationDeletion,
    ComputationInputForm,
    ComputationPageRequest,
    ComputationRecord,
    InputPageRequest,
    InputRecord,
)
from zcbus.control.platform.agent_requests import Destination, ask
from zcbus.control.platform.authorisation import authorise, authorise_any
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.routing import Api
from zcbus.model.reduction.services import is_stale
from zcbus.protocol.base import TableRef
from zcbus.protocol.computation_requests import CheckComputation, ComputationCheck

api = Api("stream")

VIEW = authorise("stream", Operation.VIEW)
CREATE = authorise("stream", Operation.CREATE)
EDIT = authorise("stream", Operation.EDIT)
OPERATE = authorise("stream", Operation.OPERATE)
DELETE = authorise("stream", Operation.DELETE)
# A check opens the target database, so it needs the right to create or change computations.
CHECK = authorise_any(("stream", Operation.CREATE), ("stream", Operation.EDIT))


@api.read("/api/zcbus/stream/computation/page", VIEW, lists=COMPUTATIONS)
def page_computations(call: Call, body: ComputationPageRequest) -> Page[ComputationRecord]:
    """Computations with their inputs, target, state and figures."""
    return answer_page(call, body, listing.listing(call, body))


@api.read("/api/zcbus/stream/input/page", VIEW, lists=INPUTS)
def page_inputs(call: Call, body: InputPageRequest) -> Page[InputRecord]:
    """Published tables that computations may read."""
    return answer_page(call, body, listing.input_listing(call, body))


@api.read("/api/zcbus/stream/computation/check", CHECK, unit=Unit.OWN)
def check_computation(call: Call, body: ComputationDefinition) -> ComputationCheckRecord:
    """Check a SELECT over these inputs, and answer the columns of its result. Asks an agent."""
    found = _checked(call, body)
    return ComputationCheckRecord(
        columns=[ComputationColumn(name=one.name, type=one.type) for one in found.columns],
        reason=ReasonTexts.of(call).record(found.reason),
        exists=found.exists,
    )


@api.change("/api/zcbus/stream/computation/add", CREATE, unit=Unit.OWN)
def add_computation(call: Call, body: ComputationInputForm) -> str:
    """Create a computation if it can be computed; answers its id. Asks an agent."""
    _refuse_impossible(call, body)
    call.audit.subject, call.audit.after = body.name, body.model_dump(mode="json")
    with call.services.database.write() as store:
        return service.add(call, store, body)


@api.change("/api/zcbus/stream/computation/edit", EDIT, unit=Unit.OWN)
def edit_computation(call: Call, body: ComputationChange) -> None:
    """Change a computation if it can still be computed. Asks an agent."""
    _refuse_impossible(call, body)
    with call.services.database.write() as store:
        before = service.change(call, store, body)
    call.audit.subject, call.audit.before = before.name, {"sql": before.statement, "key": before.key_columns}
    call.audit.after = body.model_dump(mode="json")


@api.change("/api/zcbus/stream/computation/start", OPERATE)
def start_computation(call: Call, body: ComputationChoice) -> None:
    """Start a computation, also one that stopped with a reason."""
    call.audit.subject = service.act(call, body.id, ComputationAction.START).name


@api.change("/api/zcbus/stream/computation/stop", OPERATE)
def stop_computation(call: Call, body: ComputationChoice) -> None:
    """Stop a computation; it resumes where it stopped."""
    call.audit.subject = service.act(call, body.id, ComputationAction.STOP).name


@api.change("/api/zcbus/stream/computation/reset", OPERATE)
def reset_computation(call: Call, body: ComputationChoice) -> None:
    """Publish the inputs' full data again, and compute everything from scratch."""
    call.audit.subject = service.act(call, body.id, ComputationAction.RESET).name


@api.change("/api/zcbus/stream/computation/delete", DELETE)
def delete_computation(call: Call, body: ComputationDeletion) -> str:
    """Delete a stopped computation; its table stays. Answers its name. Codes 40104 and 40105 concern the captcha."""
    confirm_deletion(call, body)
    call.audit.subject = service.delete(call, body.id).name
    return call.audit.subject


def _refuse_impossible(call: Call, given: ComputationDefinition) -> None:
    reason = ReasonTexts.of(call).record(_checked(call, given).reason)
    if reason is not None:
        raise ComputationRefusedError(reason=reason.text)


def _checked(call: Call, given: ComputationDefinition) -> ComputationCheck:
    with call.services.database.read() as store:
        database = service.database_of(call, store, given)
        tables = service.tables_of(call, store, given.inputs)
        target = connections.open_stored(store, call.services.secrets, database.data_source_id)
    node = next(iter(tables.values()))
    silent = is_stale(node.agent_seen_at, call.services.clock.now())
    question = CheckComputation(
        inputs=service.wire_inputs(given.inputs, tables),
        sql=given.sql,
        key=tuple(given.key),
        target=target,
        table=TableRef(schema_name=given.target_schema, table=given.target_table),
    )
    where = Destination(node.container_id, node.container_name, None if silent else node.agent_id)
    return ask(call.services, where, question, ComputationCheck)
