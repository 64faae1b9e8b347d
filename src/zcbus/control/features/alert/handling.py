"""The rules of handling an alert: who knows of it, and who looks after it."""

from typing import Any

from sqlalchemy import Row, select

from zcbus.control.features.account.service import STATUS_NORMAL
from zcbus.control.features.alert import repository
from zcbus.control.features.alert.errors import AlertOverError, AssigneeUnknownError
from zcbus.control.features.alert.schemas import ASSIGNEES, Assignee, AssigneePageRequest
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.identity import user


def find(call: Call, alert_id: str) -> Row[Any]:
    """Raises RecordNotFoundError."""
    row = repository.find(call.connection, call.principal, alert_id)
    if row is None:
        raise RecordNotFoundError(kind="alert", id=alert_id)
    return row


def acknowledge(call: Call, row: Row[Any]) -> None:
    """Note that the caller knows of an alert; it is history then. Who was first stays. Raises AlertOverError."""
    _check_open(row)
    if row.acknowledged_time is None:
        noted = {"acknowledged_time": call.services.clock.now(), "acknowledged_by": call.principal.user_name}
        repository.change(call.connection, row.id, status=repository.HISTORY, **noted)


def resolve(call: Call, row: Row[Any]) -> None:
    """Note that the caller has mended what happened. The alert ends when that is measured; if it still lasts some
    minutes later, the note is taken back (`watch.CHECKED_AFTER`). Raises AlertOverError."""
    acknowledge(call, row)
    noted = {"resolved_time": call.services.clock.now(), "resolved_by": call.principal.user_name}
    repository.change(call.connection, row.id, **noted)


def assign(call: Call, row: Row[Any], user_id: str | None) -> str | None:
    """Assign a user of the alert's tenant, or none (None). Returns the name. Raises AlertOverError,
    AssigneeUnknownError."""
    _check_open(row)
    name = None
    if user_id is not None:
        found = call.connection.execute(_assignable(row.tenant_id).where(user.c.id == user_id)).first()
        if found is None:
            raise AssigneeUnknownError
        name = found.user_name
    repository.change(call.connection, row.id, assignee_id=user_id, assignee_name=name)
    return name


def assignees(call: Call, request: AssigneePageRequest) -> Listing[Assignee]:
    """Users that an alert can be assigned to, by name. Raises RecordNotFoundError."""
    statement = _assignable(find(call, request.id).tenant_id)
    if request.search.strip():
        statement = statement.where(any_contains((user.c.user_name, user.c.nick_name), request.search.strip()))
    return Listing(ASSIGNEES, statement, [user.c.user_name], Assignee.of_row)


def _assignable(tenant_id: str) -> Any:
    columns = (user.c.id, user.c.user_name, user.c.nick_name)
    usable = (user.c.status == STATUS_NORMAL, user.c.client_remote.is_(False))
    return select(*columns).where(user.c.tenant_id == tenant_id, *usable)


def _check_open(row: Row[Any]) -> None:
    if row.recovered_time is not None:
        raise AlertOverError
