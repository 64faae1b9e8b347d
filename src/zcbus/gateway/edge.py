"""Answers calls: who it is, what it may, what it wants, the rows, and a line in the log."""

import time
from collections.abc import Hashable
from dataclasses import dataclass, replace
from datetime import datetime

from zcbus.connectors.queries import Found, Query
from zcbus.engine.connections import Connectors
from zcbus.engine.query.asking import query_of, text_of
from zcbus.engine.query.values import values_of
from zcbus.engine.reasons import reason_of
from zcbus.gateway.asked import Asked, asked
from zcbus.gateway.cache import AnswerCache
from zcbus.gateway.calls import Call, Reply
from zcbus.gateway.errors import ApiUnknown, NotGranted
from zcbus.gateway.log import CallLog
from zcbus.gateway.proof import Proofs
from zcbus.gateway.quota import Quotas
from zcbus.gateway.replies import error_reply, rows_reply
from zcbus.gateway.sessions import Sessions
from zcbus.gateway.texts import language_of
from zcbus.kit.clock import Clock
from zcbus.kit.errors import TerminalError, ZcbusError
from zcbus.kit.ids import new_id
from zcbus.kit.logging import get_logger
from zcbus.protocol.base import Connection, Reason
from zcbus.protocol.data_service import ApiApp, ApiCall, DataServiceTask, PublishedApi

_log = get_logger("gateway")
_LONGEST_PATH = 200
_LONGEST_FACT = 500


class Defect(TerminalError):
    """Something in us went wrong. Facts: detail."""

    code = "internal-error"


@dataclass(frozen=True, slots=True)
class _Known:
    """A task, ready to be looked up in."""

    apis: dict[str, PublishedApi]
    apps: dict[str, ApiApp]
    sources: dict[str, Connection]

    @classmethod
    def of(cls, task: DataServiceTask) -> "_Known":
        return cls({api.path: api for api in task.apis}, {app.key: app for app in task.apps}, dict(task.sources))


@dataclass(slots=True)
class _Noted:
    """What the log line needs of a call, as far as it got."""

    began: float
    at: datetime
    app: ApiApp | None = None
    api: PublishedApi | None = None
    error: Reason | None = None


class Edge:
    """Thread-safe; each call blocks until its rows are there."""

    def __init__(self, task: DataServiceTask, connectors: Connectors, clock: Clock, log: CallLog) -> None:
        self._known = _Known.of(task)
        self._clock, self._calls = clock, log
        self._proofs, self._quotas = Proofs(clock), Quotas(clock.monotonic)
        self._cache = AnswerCache(clock.monotonic)
        self.sessions = Sessions(connectors)

    def take(self, task: DataServiceTask) -> None:
        """From now on calls are answered by this task; those under way end by theirs."""
        known = _Known.of(task)
        if known.sources != self._known.sources:
            self._cache.clear()
        self._known = known

    def answer(self, call: Call) -> Reply:
        """Never raises."""
        noted = _Noted(time.monotonic(), self._clock.now())
        try:
            reply = self._answer(call, noted)
        except ZcbusError as error:
            noted.error = reason_of(error)
            reply = error_reply(error, language_of(call.header("accept-language")))
        except Exception as error:  # noqa: BLE001  the caller must get an answer, whatever it is
            _log.error("call failed", path=call.path[:_LONGEST_PATH], exc_info=error)
            noted.error = Reason(code=Defect.code, facts={"detail": type(error).__name__})
            reply = error_reply(Defect(), language_of(call.header("accept-language")))
        self._calls.add(_line(call, reply, noted))
        return reply

    def _answer(self, call: Call, noted: _Noted) -> Reply:
        known = self._known
        noted.app = app = self._proofs.app_of(call, known.apps)
        self._quotas.spend(app)
        api = known.apis.get(call.path)
        if api is None:
            raise ApiUnknown(path=call.path[:_LONGEST_PATH])
        noted.api = api
        if api.id not in app.apis:
            raise NotGranted
        return self._rows(api, known.sources[api.query.source], asked(call, api.query))

    def _rows(self, api: PublishedApi, connection: Connection, wanted: Asked) -> Reply:
        values = values_of(api.query.parameters, wanted.given)
        key: Hashable = (api.id, api.version, tuple(values.items()), wanted.page, wanted.size, wanted.form)
        kept = self._cache.get(key) if api.cache_s else None
        if kept is not None:
            return replace(kept, cached=True)
        text = text_of(api.query, connection.kind)
        skip = (wanted.page - 1) * wanted.size
        found = self._found(api, connection, query_of(api.query, text, values, wanted.size, skip))
        reply = rows_reply(found, wanted)
        if api.cache_s:
            self._cache.put(key, reply, api.cache_s)
        return reply

    def _found(self, api: PublishedApi, connection: Connection, query: Query) -> Found:
        with self.sessions.lent(api.query.source, connection, query.timeout_ms / 1000) as runner:
            return runner.run(query)


def _line(call: Call, reply: Reply, noted: _Noted) -> ApiCall:
    return ApiCall(
        id=new_id(),
        at=noted.at,
        api=noted.api.id if noted.api is not None else "",
        version=noted.api.version if noted.api is not None else 0,
        app=noted.app.id if noted.app is not None else "",
        method=call.method,
        path=call.path[:_LONGEST_PATH],
        address=call.address,
        status=reply.status,
        rows=reply.rows,
        bytes=len(reply.body),
        duration_ms=round((time.monotonic() - noted.began) * 1000),
        cached=reply.cached,
        error=_shortened(noted.error),
    )


def _shortened(reason: Reason | None) -> Reason | None:
    if reason is None:
        return None
    return Reason(code=reason.code, facts={name: fact[:_LONGEST_FACT] for name, fact in reason.facts.items()})
