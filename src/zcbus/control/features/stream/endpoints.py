"""Calls about stream queries.

Users know them as real-time computations, and so do paths, which are specified, stored codes, columns of tables, and
the functions here: actions are recorded by their names.
"""

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.datasource import connections
from zcbus.control.features.stream import listing, service
from zcbus.control.features.stream.errors import StreamQueryRefusedError
from zcbus.control.features.stream.schemas import (
    INPUTS,
    STREAM_QUERIES,
    InputPageRequest,
    InputRecord,
    StreamQueryAction,
    StreamQueryChange,
    StreamQueryCheckRecord,
    StreamQueryChoice,
    StreamQueryColumn,
    StreamQueryDefinition,
    StreamQueryDeletion,
    StreamQueryInputForm,
    StreamQueryPageRequest,
    StreamQueryRecord,
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
from zcbus.protocol.stream_query_requests import CheckStreamQuery, StreamQueryCheck

api = Api("stream")

VIEW = authorise("stream", Operation.VIEW)
CREATE = authorise("stream", Operation.CREATE)
EDIT = authorise("stream", Operation.EDIT)
OPERATE = authorise("stream", Operation.OPERATE)
DELETE = authorise("stream", Operation.DELETE)
# A check opens the target database, so it needs the right to create or change stream queries.
CHECK = authorise_any(("stream", Operation.CREATE), ("stream", Operation.EDIT))


@api.read("/api/zcbus/stream/computation/page", VIEW, lists=STREAM_QUERIES)
def page_computations(call: Call, body: StreamQueryPageRequest) -> Page[StreamQueryRecord]:
    """Stream queries with their inputs, target, state and figures."""
    return answer_page(call, body, listing.listing(call, body))


@api.read("/api/zcbus/stream/input/page", VIEW, lists=INPUTS)
def page_inputs(call: Call, body: InputPageRequest) -> Page[InputRecord]:
    """Published tables that stream queries may read."""
    return answer_page(call, body, listing.input_listing(call, body))


@api.read("/api/zcbus/stream/computation/check", CHECK, unit=Unit.OWN)
def check_stream_query(call: Call, body: StreamQueryDefinition) -> StreamQueryCheckRecord:
    """Check a SELECT over these inputs, and answer the columns of its result. Asks an agent."""
    found = _checked(call, body)
    return StreamQueryCheckRecord(
        columns=[StreamQueryColumn(name=one.name, type=one.type) for one in found.columns],
        reason=ReasonTexts.of(call).record(found.reason),
        exists=found.exists,
    )


@api.change("/api/zcbus/stream/computation/add", CREATE, unit=Unit.OWN)
def add_computation(call: Call, body: StreamQueryInputForm) -> str:
    """Create a stream query if it can be computed; answers its id. Asks an agent."""
    _refuse_impossible(call, body)
    call.audit.subject, call.audit.after = body.name, body.model_dump(mode="json")
    with call.services.database.write() as store:
        return service.add(call, store, body)


@api.change("/api/zcbus/stream/computation/edit", EDIT, unit=Unit.OWN)
def edit_computation(call: Call, body: StreamQueryChange) -> None:
    """Change a stream query if it can still be computed. Asks an agent."""
    _refuse_impossible(call, body)
    with call.services.database.write() as store:
        before = service.change(call, store, body)
    call.audit.subject, call.audit.before = before.name, {"sql": before.statement, "key": before.key_columns}
    call.audit.after = body.model_dump(mode="json")


@api.change("/api/zcbus/stream/computation/start", OPERATE)
def start_computation(call: Call, body: StreamQueryChoice) -> None:
    """Start a stream query, also one that stopped with a reason."""
    call.audit.subject = service.act(call, body.id, StreamQueryAction.START).name


@api.change("/api/zcbus/stream/computation/stop", OPERATE)
def stop_computation(call: Call, body: StreamQueryChoice) -> None:
    """Stop a stream query; it resumes where it stopped."""
    call.audit.subject = service.act(call, body.id, StreamQueryAction.STOP).name


@api.change("/api/zcbus/stream/computation/reset", OPERATE)
def reset_computation(call: Call, body: StreamQueryChoice) -> None:
    """Publish the inputs' full data again, and compute everything from scratch."""
    call.audit.subject = service.act(call, body.id, StreamQueryAction.RESET).name


@api.change("/api/zcbus/stream/computation/delete", DELETE)
def delete_computation(call: Call, body: StreamQueryDeletion) -> str:
    """Delete a stopped stream query; its table stays. Answers its name. Codes 40104 and 40105 concern the captcha."""
    confirm_deletion(call, body)
    call.audit.subject = service.delete(call, body.id).name
    return call.audit.subject


def _refuse_impossible(call: Call, given: StreamQueryDefinition) -> None:
    reason = ReasonTexts.of(call).record(_checked(call, given).reason)
    if reason is not None:
        raise StreamQueryRefusedError(reason=reason.text)


def _checked(call: Call, given: StreamQueryDefinition) -> StreamQueryCheck:
    with call.services.database.read() as store:
        database = service.database_of(call, store, given)
        tables = service.tables_of(call, store, given.inputs)
        target = connections.open_stored(store, call.services.secrets, database.data_source_id)
    node = next(iter(tables.values()))
    silent = is_stale(node.agent_seen_at, call.services.clock.now())
    question = CheckStreamQuery(
        inputs=service.wire_inputs(given.inputs, tables),
        sql=given.sql,
        key=tuple(given.key),
        target=target,
        table=TableRef(schema_name=given.target_schema, table=given.target_table),
    )
    where = Destination(node.container_id, node.container_name, None if silent else node.agent_id)
    return ask(call.services, where, question, StreamQueryCheck)
