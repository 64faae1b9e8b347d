"""One request, one caller, one transaction."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeVar

from fastapi import Request
from sqlalchemy import Connection
from sqlalchemy.exc import DataError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from zcbus.control.platform import audit
from zcbus.control.platform.audit import AuditNote, Circumstances
from zcbus.control.platform.authorisation import Access
from zcbus.control.platform.errors import (
    CertificateNeededError,
    StoreBusyError,
    TooManyRequestsError,
    ValueRefusedError,
)
from zcbus.control.platform.language import Language, language_of
from zcbus.control.platform.principal import ANONYMOUS, Principal
from zcbus.control.platform.progress import NOT_FOLLOWED, PROGRESS_HEADER, FollowedProgress, Progress
from zcbus.control.platform.services import Services
from zcbus.control.platform.sessions import find_principal, is_due, note_use
from zcbus.control.store.live import announce
from zcbus.kit.errors import ZcbusError
from zcbus.kit.http_limits import PEER_NAME
from zcbus.kit.logging import get_logger

T = TypeVar("T")

_log = get_logger("control.call")

TOKEN_HEADER = "zcbus-token"  # noqa: S105  the header's name, not a token
UNATTENDED_HEADER = "zcbus-unattended"
"""Header of a page that was not touched for a while or that polls: the session counts as idle meanwhile."""


class Unit(Enum):
    """Transaction of a call."""

    READ = "read"
    # All statements of the call see one state of the store.
    SNAPSHOT = "snapshot"
    WRITE = "write"
    # The endpoint opens its own short ones, because it does slow things (hashing, waiting) in between.
    OWN = "own"


@dataclass(frozen=True, slots=True)
class Rules:
    """Declaration of a route."""

    action: str
    access: Access
    unit: Unit
    audited: bool
    # Whether the call changes something.
    changes: bool
    # Whether the body must not travel in the clear.
    confidential: bool = False
    # Whether its caller may follow it and call it off.
    followed: bool = False


@dataclass(slots=True)
class Call:
    """One request on its way through the platform; the first argument of every endpoint."""

    services: Services
    open_request: Request | None
    language: Language
    where: Circumstances
    principal: Principal = ANONYMOUS
    audit: AuditNote = field(default_factory=AuditNote)
    open_connection: Connection | None = None
    progress: Progress = NOT_FOLLOWED
    # The envelope's code and the key of its message, where an endpoint answers something else than plain success.
    code: int | None = None
    message_key: str = "ok"
    _written_if_failed: list[Callable[[Connection], None]] = field(default_factory=list)

    @property
    def request(self) -> Request:
        """The request as it was sent. Work without a request (`unattended`) has none."""
        if self.open_request is None:
            raise RuntimeError("this call was made by the platform itself: it has no request")
        return self.open_request

    @property
    def connection(self) -> Connection:
        """The call's transaction. A call declared with `Unit.OWN` has none."""
        if self.open_connection is None:
            raise RuntimeError("this call is declared with Unit.OWN: open call.services.database.read() or write()")
        return self.open_connection

    def answers(self, code: int, message_key: str) -> None:
        """Answer with this code of the specification and this message instead of plain success."""
        self.code = code
        self.message_key = message_key

    def write_if_failed(self, work: Callable[[Connection], None]) -> None:
        """Queue a write that is done even if the call fails and its transaction is rolled back. Only for calls in the
        operation log: it runs in the transaction of the failure's record."""
        self._written_if_failed.append(work)

    def flush_writes(self, connection: Connection) -> None:
        """Write what `write_if_failed` named."""
        for work in self._written_if_failed:
            work(connection)

    def record_begun(self, connection: Connection) -> None:
        """Have the operation log name the call before it has an effect elsewhere; its end completes the record."""
        audit.begin(connection, self.services, self.principal, self.where, self.audit)

    def text(self, key: str, /, **facts: object) -> str:
        """A message in the caller's language."""
        return self.services.catalogue.text(self.language, key, **facts)


def unattended(services: Services, store: Connection, principal: Principal, action: str, run_id: str) -> Call:
    """A call that the platform makes itself, in a user's name and in the caller's transaction. `record` writes it to
    the operation log. It has no language, so its answers are codes and facts."""
    where = Circumstances(action=action, path="", address="", request_id=run_id)
    return Call(services, None, "en", where, principal, open_connection=store)


def services_of(request: Request) -> Services:
    """The services of the application that serves this request."""
    services: Services = request.app.state.services
    return services


def run_call(request: Request, rules: Rules, perform: Callable[[Call], T]) -> T:
    """Authenticate, authorise, perform and record, in the transaction that `rules` ask for."""
    call = _new_call(request, rules)
    try:
        with _transaction(call, rules):
            result = perform(call)
            if rules.audited and rules.unit is Unit.WRITE:
                _record(call, call.connection)
    except ZcbusError as error:
        _record_failure(call, rules, error.code)
        raise
    except (OperationalError, PoolTimeout) as error:
        _log.error("store does not answer", action=rules.action, exc_info=error)
        raise StoreBusyError from error
    except (DataError, OverflowError) as error:
        _log.error("store refused a value", action=rules.action, exc_info=error)
        _record_failure(call, rules, ValueRefusedError.code)
        raise ValueRefusedError from error
    except Exception:
        _record_failure(call, rules, "server-error")
        raise
    finally:
        _note_use(call)
    if rules.audited and rules.unit is Unit.OWN:
        _record_done(call)
    return result


def authenticate(request: Request, rules: Rules) -> None:
    """Only the check of the caller, for requests whose body never reaches the endpoint."""
    call = _new_call(request, rules)
    with call.services.database.read() as connection:
        _admit(call, rules, connection)


def _new_call(request: Request, rules: Rules) -> Call:
    request.scope["zcbus_notable"] = rules.audited
    client = request.client
    where = Circumstances(
        action=rules.action,
        path=request.url.path,
        address=client.host if client else "",
        request_id=request.scope.get("zcbus_request_id", ""),
    )
    return Call(services_of(request), request, language_of(request.headers), where)


@contextmanager
def _transaction(call: Call, rules: Rules) -> Iterator[None]:
    database = call.services.database
    if rules.unit is Unit.OWN:
        if rules.access.needs_token:
            with database.read() as connection:
                _admit(call, rules, connection)
        with _followed(call, rules):
            yield
        return
    begin = {Unit.WRITE: database.write, Unit.SNAPSHOT: database.read_snapshot}.get(rules.unit, database.read)
    with begin() as connection:
        _admit(call, rules, connection)
        call.open_connection = connection
        yield


@contextmanager
def _followed(call: Call, rules: Rules) -> Iterator[None]:
    key = call.request.headers.get(PROGRESS_HEADER) if rules.followed else None
    if key is None:
        yield
        return
    call.progress = FollowedProgress(call.services, call.principal.user_id, key)
    try:
        yield
    finally:
        # What was done is done: a row that stays goes with those of killed processes.
        with suppress(SQLAlchemyError):
            call.progress.end()


def _admit(call: Call, rules: Rules, connection: Connection) -> None:
    token = call.request.headers.get(TOKEN_HEADER)
    if token and rules.access.needs_token:
        call.principal = find_principal(call.services, connection, token)
        if call.principal.certified and call.request.scope.get(PEER_NAME) != call.principal.user_id:
            raise CertificateNeededError
        call.request.scope["zcbus_user"] = call.principal.user_name
    call.principal = rules.access.admit(call.principal, changes=rules.changes)


def _note_use(call: Call) -> None:
    now, principal = call.services.clock.now(), call.principal
    is_token = principal.kind == "api"
    if not is_token and UNATTENDED_HEADER in call.request.headers:
        return
    if principal.session_id is None or not is_due(principal, now):
        return
    # The call's result matters more than its record; the next call records the same.
    with suppress(SQLAlchemyError), call.services.database.write() as connection:
        note_use(connection, principal.session_id, now, call.where.address if is_token else None)


def _record(call: Call, connection: Connection, error_code: str | None = None) -> None:
    audit.record(connection, call.services, call.principal, call.where, call.audit, error_code)
    if error_code is None:
        announce(connection, "call", {call.principal.tenant_id})
    facts = {"work": call.where.action, "user": call.principal.user_name, **_counts(call.audit.after)}
    call.progress.note_end(connection, call.principal.tenant_id, error_code, **facts)


def _is_worth_a_record(call: Call, error_code: str) -> bool:
    """Of calls without a session: those that name an account, as long as they are no flood."""
    if call.audit.user_name is None or error_code == TooManyRequestsError.code:
        return False
    return call.services.anonymous_quota.try_spend(call.where.address)


def _counts(after: object) -> dict[str, int]:
    """The number of tables it succeeded and failed for; {}: its outcomes are not per table."""
    if not (isinstance(after, dict) and "action" in after and isinstance(after.get("tables"), list)):
        return {}
    return {"done": len(after["tables"]), "refused": len(after.get("refused", {}))}


def _record_done(call: Call) -> None:
    """Record a call whose own transactions are committed. Its caller gets the result even if the operation log cannot
    be written; the record then goes to the program's log."""
    try:
        with call.services.database.write() as connection:
            _record(call, connection)
    except SQLAlchemyError as error:
        user = call.audit.user_name or call.principal.user_name
        facts = {"user": user, "subject": call.audit.subject, "request": call.where.request_id}
        _log.error("call not recorded", action=call.where.action, **facts, exc_info=error)


def _record_failure(call: Call, rules: Rules, error_code: str) -> None:
    """A failed call's own transaction is gone, so its record gets another. Strangers are not recorded, only logged."""
    if not rules.audited or (call.principal is ANONYMOUS and not _is_worth_a_record(call, error_code)):
        return
    try:
        with call.services.database.write() as connection:
            call.flush_writes(connection)
            _record(call, connection, error_code)
    except SQLAlchemyError as error:
        # The caller must learn of the first failure, not of this one.
        _log.error("failure not recorded", action=rules.action, error_code=error_code, exc_info=error)
