"""Policies as documents: applying a file to a policy, and exporting one."""

from typing import Any

from sqlalchemy import Row, select

from zcbus.control.features.policy import policies, repository
from zcbus.control.features.policy.contents import PolicyContents, PolicySettings
from zcbus.control.features.policy.difference import compare
from zcbus.control.features.policy.errors import DocumentNodeError, PolicyEmptyError, PolicyTablesUnknownError
from zcbus.control.features.policy.schemas import DocumentRecord, DocumentRequest, PolicyDocument, PolicyInput
from zcbus.control.features.policy.sheet import published_names
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import ForbiddenError, RecordNotFoundError
from zcbus.control.platform.principal import Operation
from zcbus.control.store.tables.publish import publish_node

MENU_KEY = "policy/define"
_NAMED = 5


def apply(call: Call, request: DocumentRequest) -> DocumentRecord:
    """Create or change the policy of that name. The draft becomes the document's contents. Raises DocumentNodeError,
    PolicyTablesUnknownError for further tables that the node does not publish, what `policies.add` and
    `policies.release` raise, and ForbiddenError where the caller may not create a policy, or a version."""
    document = request.document
    if request.release:
        _check_may(call, Operation.OPERATE)
    contents = contents_of(document)
    known = repository.policy_of_name(call.connection, call.principal, document.policy)
    before = policies.contents_of(call.connection, known, None) if known is not None else PolicyContents()
    if known is None:
        _check_may(call, Operation.CREATE)
        policy_id = _add(call, document, contents)
    else:
        policy_id = known.id
        _check_node(known, document)
        _check_published(call, known.node_id, before, contents)
        if document.remark != known.remark:
            now = call.services.clock.now()
            repository.change_policy(call.connection, policy_id, remark=document.remark, updated_at=now)
        if compare(before, contents):
            policies.change_draft(call, policy_id, lambda _: contents)
    row = policies.find(call.connection, call.principal, policy_id)
    released = request.release and row.newest_contents != row.draft
    if released:
        policies.release(call, row, request.note)
        row = policies.find(call.connection, call.principal, policy_id)
    return DocumentRecord(
        policy=policies.record(row),
        created=known is None,
        difference=policies.difference_record(compare(before, contents)),
        version=row.newest_number,
        released=released,
    )


def difference(call: Call, document: PolicyDocument) -> Any:
    """The changes of the draft by `apply`. Raises DocumentNodeError."""
    known = repository.policy_of_name(call.connection, call.principal, document.policy)
    if known is not None:
        _check_node(known, document)
    before = policies.contents_of(call.connection, known, None) if known is not None else PolicyContents()
    return policies.difference_record(compare(before, contents_of(document)))


def export(call: Call, row: Row[Any], version: int | None) -> dict[str, Any]:
    """A draft or a version as a document."""
    contents = policies.stored(policies.contents_of(call.connection, row, version))
    tables = [
        {**table, "source": f"{table['source']['schema']}.{table['source']['table']}"}
        for table in contents.pop("tables", ())
    ]
    head = {"policy": row.product_name, "node": row.node_name or "", "remark": row.remark}
    return {**{name: value for name, value in head.items() if value}, **contents, "tables": tables}


def contents_of(document: PolicyDocument) -> PolicyContents:
    """The policy's contents in a document."""
    values = document.model_dump(exclude={"policy", "node", "remark"})
    return PolicyContents.model_validate(values)


def _add(call: Call, document: PolicyDocument, contents: PolicyContents) -> str:
    if not contents.tables:
        raise PolicyEmptyError(name=document.policy)
    own = (publish_node.c.tenant_id == call.principal.tenant_id, publish_node.c.name == document.node)
    node_id = call.connection.execute(select(publish_node.c.id).where(*own)).scalar()
    if node_id is None:
        raise RecordNotFoundError(kind="publish-node", id=document.node)
    _check_published(call, node_id, PolicyContents(), contents)
    given = PolicyInput(
        product_name=document.policy, node_master=node_id, remark=document.remark, settings=PolicySettings()
    )
    return policies.add(call, given, contents)


def _check_may(call: Call, operation: Operation) -> None:
    if not call.principal.may(MENU_KEY, operation):
        raise ForbiddenError(menuKey=MENU_KEY, operation=operation.value)


def _check_node(row: Row[Any], document: PolicyDocument) -> None:
    if row.node_name != document.node:
        raise DocumentNodeError(name=row.product_name, node=row.node_name or "-", given=document.node)


def _check_published(call: Call, node_id: str | None, before: PolicyContents, after: PolicyContents) -> None:
    """A draft may keep tables that were withdrawn since, but gets only published ones."""
    known = {table.name for table in before.tables} | published_names(call.connection, node_id).keys()
    unknown = [table.name for table in after.tables if table.name not in known]
    if unknown:
        raise PolicyTablesUnknownError(tables=", ".join(unknown[:_NAMED]))
