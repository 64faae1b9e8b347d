"""Mailbox of requests to agents: a table, so that any replica can serve any side.

A question is stored, taken by an agent at its next sync and answered at a later one. The caller polls for the answer. A
job is a request without a waiting caller; it is retried until it succeeds.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

from pydantic import TypeAdapter
from sqlalchemy import Connection, Row, Select, case, delete, func, or_, select, update

from zcbus.control.platform.errors import BusinessError
from zcbus.control.platform.progress import NOT_FOLLOWED, Progress
from zcbus.control.platform.secrets import SecretBox
from zcbus.control.platform.services import Services
from zcbus.control.store.change_events import notify
from zcbus.control.store.sealed import place
from zcbus.control.store.tables.container import agent, agent_request, container
from zcbus.kit.ids import new_id
from zcbus.kit.logging import get_logger
from zcbus.protocol.agent import PutRequest, RequestProgress
from zcbus.protocol.answers import Answer
from zcbus.protocol.base import Message, Reason
from zcbus.protocol.requests import Request

M = TypeVar("M", bound=Message)

ANSWER_SECONDS = 30
"""So long an agent may be silent about a question: without an answer, and without progress."""
# A question that no agent has taken by then fails with NoAgentError, unless an agent had a recent heartbeat: it may be
# busy with something large, such as orders of thousands of tables.
TAKEN_SECONDS = 10
_RECENT = timedelta(seconds=30)

_POLL_SECONDS = 0.05
# The agent is the first to give up, and says so: its answer takes a while.
_ON_ITS_WAY = 2.0
# An answer that was lost on the way is requested again; an agent that still works on it does not start over.
_HAND_AGAIN = timedelta(seconds=5)
# A request that may have changed a database must not run twice: its caller rather gets no answer.
_HANDED_ONCE = ("run-statement", "import-table")
_NEVER_AGAIN = timedelta(days=1)
_AT_ONCE = 20
_JOB_LIFETIME = timedelta(days=7)
_JOB_SECONDS = 60
_JOB_PAUSES = (2, 5, 10, 30, 60, 300)

_request_json: TypeAdapter[Request] = TypeAdapter(Request)
_log = get_logger("control.agent-requests")


class NoAgentError(BusinessError):
    """No agent of the container took the question in time. Facts: container, seconds."""

    code = "no-agent"


class AgentSilentError(BusinessError):
    """An agent took the question and did not answer in time. Facts: container, seconds."""

    code = "agent-silent"


class AgentAnsweredError(BusinessError):
    """The agent answered with an error; `reason` is the error's code, with its facts."""

    code = "agent-answered"

    def __init__(self, reason_code: str, facts: dict[str, str]) -> None:
        super().__init__(**facts)
        # The message catalogue is asked with the code the agent gave, not with this class's.
        self.code = reason_code  # type: ignore[misc]


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a request goes: a container, or one agent of it."""

    container_id: str
    container_name: str
    agent_id: str | None = None


def ask(
    services: Services,
    destination: Destination,
    request: Request,
    answer_type: type[M],
    seconds: int | None = None,
    progress: Progress = NOT_FOLLOWED,
) -> M:
    """Ask an agent and wait for its answer as long as it makes progress.

    `seconds` (default ANSWER_SECONDS) is the longest time without progress. `progress` belongs to the calling request
    and receives the agent's progress where the agent reports it. Must not be called inside a transaction.

    Raises NoAgentError, AgentSilentError, AgentAnsweredError for an error that the agent answers with, and
    CallCancelledError; the agent is then informed that the question was withdrawn.
    """
    limit = seconds or ANSWER_SECONDS
    with services.database.write() as connection:
        request_id = _put(connection, services, destination, request, seconds=limit, subject=request.type)
    try:
        row = _wait(services, destination, request_id, limit, progress)
    finally:
        with services.database.write() as connection:
            connection.execute(delete(agent_request).where(agent_request.c.id == request_id))
    if row.error is not None:
        raise AgentAnsweredError(row.error["code"], row.error["facts"])
    return answer_type.model_validate(row.answer)


def put_question(
    connection: Connection, services: Services, destination: Destination, request: Request, seconds: int
) -> str:
    """Ask an agent without waiting, in the caller's transaction. Returns the question's id, for `take_answer`, which
    any replica may call, and for `withdraw`."""
    return _put(connection, services, destination, request, seconds=seconds, subject=request.type)


def take_answer(connection: Connection, services: Services, question: str, answer_type: type[M]) -> M | Reason | None:
    """The answer to a question, or why there is none, once it is known; the question is then over. None: wait."""
    row = connection.execute(_LOOKED_AT.where(agent_request.c.id == question)).first()
    if row is None:
        return Reason(code="answer-lost")
    found = _found(connection, services, row, answer_type)
    if found is not None:
        withdraw(connection, question)
    return found


def withdraw(connection: Connection, question: str) -> None:
    """Give up a question. An agent that works on it stops."""
    connection.execute(delete(agent_request).where(agent_request.c.id == question))


def _found(connection: Connection, services: Services, row: Row[Any], answer_type: type[M]) -> M | Reason | None:
    if row.status == "answered":
        return Reason.model_validate(row.error) if row.error is not None else answer_type.model_validate(row.answer)
    destination = Destination(row.container_id, row.container_name)
    waited = (services.clock.now() - row.created_at).total_seconds()
    if row.status == "waiting" and waited > TAKEN_SECONDS and _is_alone_in(connection, services, destination):
        return _silent(NoAgentError, destination, round(waited))
    if waited > row.timeout_s + _ON_ITS_WAY:
        return _silent(AgentSilentError, destination, row.timeout_s)
    return None


def _silent(error: type[BusinessError], destination: Destination, seconds: int) -> Reason:
    return Reason(code=error.code, facts={"container": destination.container_name, "seconds": str(seconds)})


def add_job(
    connection: Connection, services: Services, destination: Destination, request: Request, subject: str
) -> None:
    """Queue a request for an agent. It runs when it can; no caller waits for its answer."""
    _put(connection, services, destination, request, seconds=_JOB_SECONDS, subject=subject, is_job=True)


def change_jobs(connection: Connection, secrets: SecretBox, change: Callable[[Request], Request]) -> None:
    """Change what jobs that are not done ask for. `change` gets each, and answers it as it is to be. An agent that
    works on one meanwhile does what it took."""
    waiting: Select[Any] = select(agent_request.c.id, agent_request.c.sealed, agent_request.c.timeout_s).where(
        agent_request.c.is_job, agent_request.c.status != "answered"
    )
    for row in connection.execute(waiting.with_for_update()).all():
        request = _put_request(secrets, row).request
        changed = change(request)
        if changed != request:
            _update(connection, row.id, sealed=_sealed(secrets, row.id, changed))


def hand_out(connection: Connection, container_id: str, agent_id: str, now: datetime) -> Sequence[Row[Any]]:
    """Requests for an agent to begin with now; `opened` makes them readable."""
    due = (
        select(agent_request.c.id)
        .where(
            agent_request.c.container_id == container_id,
            or_(agent_request.c.agent_id.is_(None), agent_request.c.agent_id == agent_id),
            agent_request.c.status != "answered",
            agent_request.c.available_at <= now,
            agent_request.c.expires_at > now,
        )
        .order_by(agent_request.c.created_at)
        .limit(_AT_ONCE)
    )
    ids = connection.execute(due).scalars().all()
    if not ids:
        return ()
    handed_once = agent_request.c.subject.in_(_HANDED_ONCE)
    again = case((handed_once, now + _NEVER_AGAIN), else_=now + _HAND_AGAIN)
    return connection.execute(
        update(agent_request)
        .where(agent_request.c.id.in_(ids), agent_request.c.available_at <= now)
        .values(status="handed", agent_id=agent_id, available_at=again)
        .returning(agent_request.c.id, agent_request.c.sealed, agent_request.c.timeout_s)
    ).all()


def opened(secrets: SecretBox, handed: Iterable[Row[Any]]) -> tuple[PutRequest, ...]:
    """Requests that were handed out, as an agent takes them. Those of thousands of tables take a while."""
    return tuple(_put_request(secrets, row) for row in handed)


def handed_to(connection: Connection, secrets: SecretBox, agent_id: str, kind: str) -> list[Request]:
    """Requests of a type that an agent works on."""
    its = (agent_request.c.agent_id == agent_id) & (agent_request.c.subject == kind)
    handed = select(*(agent_request.c[name] for name in ("id", "sealed", "timeout_s"))).where(
        its, agent_request.c.status == "handed"
    )
    rows: Sequence[Row[Any]] = connection.execute(handed).all()
    return [_put_request(secrets, row).request for row in rows]


def take_answers(connection: Connection, agent_id: str, answers: Sequence[Answer], now: datetime) -> None:
    """Store what an agent answered."""
    for answer in answers:
        row = connection.execute(
            select(agent_request).where(agent_request.c.id == answer.request, agent_request.c.agent_id == agent_id)
        ).one_or_none()
        if row is None or row.status == "answered":
            continue
        if row.is_job:
            _end_job(connection, row, answer, now)
        else:
            _update(
                connection,
                row.id,
                status="answered",
                answer=answer.result,
                error=answer.error.model_dump() if answer.error else None,
            )
            notify(connection, row.id)


def note_progress(
    connection: Connection, agent_id: str, reports: Sequence[RequestProgress], now: datetime
) -> tuple[str, ...]:
    """Store agents' progress with questions and prolong these. Returns the ids of questions that were withdrawn."""
    withdrawn: list[str] = []
    for one in reports:
        own = (agent_request.c.id == one.request) & (agent_request.c.agent_id == agent_id)
        timeout = connection.execute(select(agent_request.c.timeout_s).where(own)).scalar()
        if timeout is None:
            withdrawn.append(one.request)
        elif one.total:
            _update(connection, one.request, done=one.done, total=one.total, expires_at=_expiry(now, timeout))
    return tuple(withdrawn)


def remove_expired(services: Services) -> None:
    """Forget questions whose asker is gone, and jobs that never succeeded."""
    now = services.clock.now()
    expired = agent_request.c.expires_at <= now
    with services.database.read() as connection:
        if connection.execute(select(agent_request.c.id).where(expired).limit(1)).first() is None:
            return
    with services.database.write() as connection:
        gone = connection.execute(
            delete(agent_request)
            .where(expired)
            .returning(agent_request.c.is_job, agent_request.c.subject, agent_request.c.error)
        ).all()
    for row in gone:
        if row.is_job:
            _log.error("agent job given up", subject=row.subject, error=row.error)


def _expiry(now: datetime, seconds: int) -> datetime:
    """When a question without progress is deleted that its caller did not withdraw."""
    return now + timedelta(seconds=seconds + 30)


def _put(
    connection: Connection,
    services: Services,
    destination: Destination,
    request: Request,
    *,
    seconds: int,
    subject: str,
    is_job: bool = False,
) -> str:
    request_id, now = new_id(), services.clock.now()
    connection.execute(
        agent_request.insert().values(
            id=request_id,
            container_id=destination.container_id,
            agent_id=destination.agent_id,
            sealed=_sealed(services.secrets, request_id, request),
            status="waiting",
            is_job=is_job,
            subject=subject[:200],
            timeout_s=seconds,
            created_at=now,
            available_at=now,
            expires_at=now + _JOB_LIFETIME if is_job else _expiry(now, seconds),
            attempts=0,
        )
    )
    notify(connection, destination.container_id)
    return request_id


# Without the sealed question: that of thousands of tables is large, and this row is polled often.
_ANSWERING = select(*(agent_request.c[name] for name in ("status", "answer", "error", "done", "total")))
_LOOKED_AT: Select[Any] = select(
    *(agent_request.c[name] for name in ("status", "answer", "error", "created_at", "timeout_s", "container_id")),
    container.c.name.label("container_name"),
).join(container, container.c.id == agent_request.c.container_id)


def _wait(services: Services, destination: Destination, request_id: str, seconds: int, progress: Progress) -> Row[Any]:
    begun = moved = time.monotonic()
    reached = (0, 0)
    with services.database.change_events.listen(request_id) as answered:
        while True:
            with services.database.read() as connection:
                row = connection.execute(_ANSWERING.where(agent_request.c.id == request_id)).one()
            if row.status == "answered":
                return row
            progress.check()
            now = time.monotonic()
            if reached != (row.done, row.total):
                reached, moved = (row.done, row.total), now
            if row.total:
                progress.reached(row.done, row.total)
            if (
                row.status == "waiting"
                and now - begun > min(TAKEN_SECONDS, seconds)
                and _is_alone(services, destination)
            ):
                raise NoAgentError(container=destination.container_name, seconds=round(now - begun))
            if now - moved > seconds + _ON_ITS_WAY:
                raise AgentSilentError(container=destination.container_name, seconds=seconds)
            # Events of other replicas do not arrive here.
            if answered.wait(_POLL_SECONDS):
                answered.clear()


def _is_alone(services: Services, destination: Destination) -> bool:
    """Whether no agent that could take a question had a recent heartbeat."""
    with services.database.read() as connection:
        return _is_alone_in(connection, services, destination)


def _is_alone_in(connection: Connection, services: Services, destination: Destination) -> bool:
    newest = select(func.max(agent.c.heartbeat_at)).where(agent.c.container_id == destination.container_id)
    if destination.agent_id is not None:
        newest = newest.where(agent.c.id == destination.agent_id)
    heartbeat = connection.execute(newest).scalar()
    return heartbeat is None or services.clock.now() - heartbeat > _RECENT


def _end_job(connection: Connection, row: Row[Any], answer: Answer, now: datetime) -> None:
    if answer.error is None:
        connection.execute(delete(agent_request).where(agent_request.c.id == row.id))
        return
    pause = _JOB_PAUSES[min(row.attempts, len(_JOB_PAUSES) - 1)]
    _log.warning("agent job failed, will be tried again", subject=row.subject, code=answer.error.code, seconds=pause)
    _update(
        connection,
        row.id,
        status="waiting",
        attempts=row.attempts + 1,
        available_at=now + timedelta(seconds=pause),
        error=answer.error.model_dump(),
    )


def _update(connection: Connection, request_id: str, **values: Any) -> None:
    connection.execute(update(agent_request).where(agent_request.c.id == request_id).values(**values))


def _sealed(secrets: SecretBox, request_id: str, request: Request) -> str:
    return secrets.seal(_request_json.dump_json(request).decode(), place(agent_request.c.sealed, request_id))


def _put_request(secrets: SecretBox, row: Row[Any]) -> PutRequest:
    request = _request_json.validate_json(secrets.open(row.sealed, place(agent_request.c.sealed, row.id)))
    return PutRequest(id=row.id, request=request, timeout_s=row.timeout_s)
