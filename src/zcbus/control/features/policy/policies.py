"""The rules of policies: a draft that people change, versions that nothing changes, and when each may go."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.policy import repository
from zcbus.control.features.policy.contents import SETTINGS, PolicyContents, PolicySettings
from zcbus.control.features.policy.difference import Difference
from zcbus.control.features.policy.errors import (
    PolicyEmptyError,
    PolicyInUseError,
    PolicyNameTakenError,
    PolicyNodeGoneError,
    PolicyUnchangedError,
)
from zcbus.control.features.policy.schemas import (
    POLICIES,
    VERSIONS,
    FieldRecord,
    PolicyChange,
    PolicyDifference,
    PolicyInput,
    PolicyPageRequest,
    PolicyRecord,
    PolicyState,
    PolicyVersionRecord,
    TableDifferenceRecord,
)
from zcbus.control.features.publish.nodes import own_node
from zcbus.control.features.recycle_bin.service import recycle
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Principal
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.policy import strategy, strategy_version
from zcbus.control.store.tables.publish import publish_node

Change = Callable[[PolicyContents], PolicyContents]


def listing(call: Call, request: PolicyPageRequest) -> Listing[PolicyRecord]:
    """By name."""
    statement = repository.policies(call.principal)
    if request.search.strip():
        names = (strategy.c.product_name, publish_node.c.name)
        statement = statement.where(any_contains(names, request.search.strip()))
    if request.node_master is not None:
        statement = statement.where(strategy.c.node_id == request.node_master)
    usual = [strategy.c.product_name, strategy.c.id]
    return Listing(POLICIES, statement, usual, record)


def find(store: Connection, principal: Principal, policy_id: str) -> Row[Any]:
    """Raises RecordNotFoundError."""
    row = repository.find_policy(store, principal, policy_id)
    if row is None:
        raise RecordNotFoundError(kind="policy", id=policy_id)
    return row


def add(call: Call, given: PolicyInput, contents: PolicyContents | None = None) -> str:
    """Make a policy without versions; returns its id. Raises PolicyNameTakenError, NodeOfLinkError,
    RecordNotFoundError."""
    principal, now = call.principal, call.services.clock.now()
    node = own_node(call.connection, principal, given.node_master)
    if repository.name_is_taken(call.connection, node.tenant_id, given.product_name, None):
        raise PolicyNameTakenError(name=given.product_name)
    draft = contents or _with_settings(PolicyContents(), given.settings)
    return repository.insert_policy(
        call.connection,
        tenant_id=node.tenant_id,
        product_name=given.product_name,
        node_id=node.id,
        remark=given.remark,
        draft=stored(draft),
        created_at=now,
        updated_at=now,
    )


def edit(call: Call, row: Row[Any], given: PolicyChange) -> None:
    """Change a policy's name and remark, and its draft's settings. Raises PolicyNameTakenError."""
    if repository.name_is_taken(call.connection, row.tenant_id, given.product_name, row.id):
        raise PolicyNameTakenError(name=given.product_name)
    repository.change_policy(call.connection, row.id, product_name=given.product_name, remark=given.remark)
    change_draft(call, row.id, lambda draft: _with_settings(draft, given.settings))


def change_draft(call: Call, policy_id: str, change: Change) -> PolicyContents:
    """Change the present draft; returns it."""
    draft = change(PolicyContents.model_validate(repository.lock_draft(call.connection, policy_id)))
    now = call.services.clock.now()
    repository.change_policy(call.connection, policy_id, draft=stored(draft), updated_at=now)
    return draft


def delete(call: Call, row: Row[Any]) -> None:
    """Move a policy with its versions into the recycle bin. Raises PolicyInUseError while customers have it."""
    # Locked and read again: a delivery may have ended since.
    repository.lock_policy(call.connection, row.id)
    row = find(call.connection, call.principal, row.id)
    if row.customers:
        raise PolicyInUseError(name=row.product_name, customers=row.customers)
    recycle(call, "policy", row.id)


def release(call: Call, row: Row[Any], note: str) -> int:
    """Make a version of the draft; returns its number. Raises PolicyEmptyError, PolicyUnchangedError,
    PolicyNodeGoneError."""
    if row.node_id is None:
        raise PolicyNodeGoneError(name=row.product_name)
    draft = repository.lock_draft(call.connection, row.id)
    if not draft.get("tables"):
        raise PolicyEmptyError(name=row.product_name)
    now = find(call.connection, call.principal, row.id)
    if now.newest_contents == draft:
        raise PolicyUnchangedError(name=row.product_name, version=now.newest_number)
    number = (now.newest_number or 0) + 1
    repository.insert_version(
        call.connection,
        strategy_id=row.id,
        number=number,
        contents=draft,
        tables=len(draft["tables"]),
        note=note,
        created_by=call.principal.user_name,
        created_at=call.services.clock.now(),
    )
    return number


def retire(call: Call, row: Row[Any], number: int, *, retired: bool) -> None:
    """Whether a version may be distributed. Customers that have it keep it. Raises RecordNotFoundError."""
    find_version(call.connection, row.id, number)
    repository.retire_version(call.connection, row.id, number, call.services.clock.now() if retired else None)


def restore(call: Call, row: Row[Any], number: int) -> None:
    """Make a version's contents the draft. Raises RecordNotFoundError."""
    contents = contents_of(call.connection, row, number)
    change_draft(call, row.id, lambda _: contents)


def find_version(store: Connection, policy_id: str, number: int) -> Row[Any]:
    """Raises RecordNotFoundError."""
    found = repository.find_version(store, policy_id, number)
    if found is None:
        raise RecordNotFoundError(kind="policy-version", id=str(number))
    return found


def newest_version(store: Connection, policy_id: str) -> int | None:
    """The newest version that may be distributed; None: there is none."""
    return repository.newest_version(store, policy_id)


def contents_of(store: Connection, row: Row[Any], number: int | None) -> PolicyContents:
    """Of a version; None: of the draft. Raises RecordNotFoundError."""
    if number is None:
        return PolicyContents.model_validate(row.draft)
    return PolicyContents.model_validate(find_version(store, row.id, number).contents)


def version_listing(policy_id: str) -> Listing[PolicyVersionRecord]:
    """The newest first."""
    usual = [strategy_version.c.number.desc()]
    return Listing(VERSIONS, repository.versions(policy_id), usual, PolicyVersionRecord.of_row)


def record(row: Row[Any]) -> PolicyRecord:
    """A policy as a record."""
    return PolicyRecord(
        id=row.id,
        product_name=row.product_name,
        node_master=row.node_id,
        node_name=row.node_name,
        remark=row.remark,
        state=_state(row),
        settings=PolicySettings.model_validate({name: row.draft[name] for name in row.draft if name != "tables"}),
        tables=len(row.draft.get("tables", ())),
        newest=row.newest_number,
        customers=row.customers,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def difference_record(difference: Difference) -> PolicyDifference:
    """A difference as a record."""

    def fields(found: list[Any]) -> list[FieldRecord]:
        return [FieldRecord(name=one.name, before=one.before, after=one.after) for one in found]

    return PolicyDifference(
        settings=fields(difference.settings),
        added=difference.added,
        removed=difference.removed,
        changed=[
            TableDifferenceRecord(table=table, fields=fields(found)) for table, found in difference.changed.items()
        ],
    )


def stored(contents: PolicyContents) -> dict[str, Any]:
    """Canonical stored form: equal contents are stored equally."""
    ordered = sorted(contents.tables, key=lambda table: table.name)
    contents = contents.model_copy(update={"tables": ordered})
    return contents.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def _state(row: Row[Any]) -> PolicyState:
    if row.newest_number is None:
        return "draft"
    return "released" if row.newest_contents == row.draft else "changed"


def _with_settings(contents: PolicyContents, settings: PolicySettings) -> PolicyContents:
    return contents.model_copy(update={name: getattr(settings, name) for name in SETTINGS})
