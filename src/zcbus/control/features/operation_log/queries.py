"""Queries over the operation log."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, or_, select

from zcbus.control.features.operation_log.schemas import (
    OPERATIONS,
    SIGN_INS,
    OperationRecord,
    RecordPageRequest,
    SignInPageRequest,
    SignInRecord,
)
from zcbus.control.platform.action_titles import ACTION_KINDS, action_title, actions_titled
from zcbus.control.platform.language import Language
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Principal
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.audit import audit_record

_SHOWN = tuple(audit_record.c[name] for name in OperationRecord.model_fields if name != "title")
_SEARCHED = (
    audit_record.c.user_name,
    audit_record.c.action,
    audit_record.c.subject,
    audit_record.c.address,
)


def listing(principal: Principal, language: Language, request: RecordPageRequest) -> Listing[OperationRecord]:
    """Records of the tenants the caller may see, the newest first."""
    statement = select(*_SHOWN).where(principal.visible(audit_record.c.tenant_id), *_conditions(request))
    usual = [audit_record.c.recorded_at.desc(), audit_record.c.id.desc()]
    return Listing(OPERATIONS, statement, usual, _record(language))


def sign_ins(
    principal: Principal, request: SignInPageRequest, record: Callable[[Row[Any]], SignInRecord]
) -> Listing[SignInRecord]:
    """Sign-ins, attempts and ends of sessions in the tenants the caller may see, the newest first."""
    statement = select(audit_record).where(
        principal.visible(audit_record.c.tenant_id),
        audit_record.c.action.in_(ACTION_KINDS["session"].actions),
        *_limits(request),
    )
    if request.search.strip():
        searched = (audit_record.c.user_name, audit_record.c.address)
        statement = statement.where(any_contains(searched, request.search.strip()))
    usual = [audit_record.c.recorded_at.desc(), audit_record.c.id.desc()]
    return Listing(SIGN_INS, statement, usual, record)


def find(connection: Connection, principal: Principal, record_id: str) -> Row[Any] | None:
    statement = select(audit_record).where(audit_record.c.id == record_id)
    return connection.execute(statement.where(principal.visible(audit_record.c.tenant_id))).one_or_none()


def _record(language: Language) -> Callable[[Row[Any]], OperationRecord]:
    def of_row(row: Row[Any]) -> OperationRecord:
        return OperationRecord(**row._mapping, title=action_title(language, row.action))

    return of_row


def _conditions(request: RecordPageRequest) -> list[ColumnElement[bool]]:
    conditions = _limits(request)
    if request.search.strip():
        text = request.search.strip()
        conditions.append(or_(any_contains(_SEARCHED, text), audit_record.c.action.in_(actions_titled(text))))
    if request.kind is not None:
        kind = ACTION_KINDS.get(request.kind)
        conditions.append(audit_record.c.action.in_(kind.actions if kind else ()))
    if request.action is not None:
        conditions.append(audit_record.c.action == request.action)
    if request.user is not None:
        # As a service account names its owner (`platform.audit`).
        by_account = audit_record.c.user_name.startswith(f"{request.user} (", autoescape=True)
        conditions.append(or_(audit_record.c.user_name == request.user, by_account))
    return conditions


def _limits(request: RecordPageRequest | SignInPageRequest) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if request.result is not None:
        conditions.append(audit_record.c.result == request.result)
    if request.since is not None:
        conditions.append(audit_record.c.recorded_at >= request.since)
    if request.until is not None:
        conditions.append(audit_record.c.recorded_at < request.until)
    return conditions
