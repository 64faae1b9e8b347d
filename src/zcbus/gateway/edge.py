"""Answers calls: authentication, grant, options, rows, and a line in the log."""

import time
from collections.abc import Hashable
from dataclasses import dataclass, replace
from datetime import datetime

from zcbus.connectors.queries import Found, Query
from zcbus.engine.connections import Connectors
from zcbus.engine.query.preparation import query_of, text_of
from zcbus.engine.query.values import values_of
from zcbus.engine.reasons import reason_of
from zcbus.gateway.cache import AnswerCache
from zcbus.gateway.call_options import CallOptions, call_options
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
_MAX_PATH_LENGTH = 200
_MAX_FACT_LENGTH = 500


class Defect(TerminalError):
    """An internal error. Facts: detail."""

    code = "internal-error"


@dataclass(frozen=True, slots=True)
class _TaskIndex:
    """A task, indexed for lookups."""

    apis: dict[str, PublishedApi]
    apps: dict[str, ApiApp]
    sources: dict[str, Connection]

    @classmethod
    def of(cls, task: DataServiceTask) -> "_TaskIndex":
        return cls({api.path: api for api in task.apis}, {app.key: app for app in task.apps}, dict(task.sources))


@dataclass(slots=True)
class _CallRecord:
    """Facts of a call for its log line."""

    began: float
    at: datetime
    app: ApiApp | None = None
    api: PublishedApi | None = None
    error: Reason | None = None


class Edge:
    """Answers calls. Thread-safe; each call blocks until its rows arrive."""

    def __init__(self, task: DataServiceTask, connectors: Connectors, clock: Clock, log: CallLog) -> None:
        self._task = _TaskIndex.of(task)
        self._clock, self._calls = clock, log
        self._proofs, self._quotas = Proofs(clock), Quotas(clock.monotonic)
        self._cache = AnswerCache(clock.monotonic)
        self.sessions = Sessions(connectors)

    def take(self, task: DataServiceTask) -> None:
        """Use this task for new calls; those in progress finish with the old one."""
        indexed = _TaskIndex.of(task)
        if indexed.sources != self._task.sources:
            self._cache.clear()
        self._task = indexed

    def answer(self, call: Call) -> Reply:
        """Answer a call. Never raises."""
        record = _CallRecord(time.monotonic(), self._clock.now())
        try:
            reply = self._answer(call, record)
        except ZcbusError as error:
            record.error = reason_of(error)
            reply = error_reply(error, language_of(call.header("accept-language")))
        except Exception as error:  # noqa: BLE001  every call must be answered
            _log.error("call failed", path=call.path[:_MAX_PATH_LENGTH], exc_info=error)
            record.error = Reason(code=Defect.code, facts={"detail": type(error).__name__})
            reply = error_reply(Defect(), language_of(call.header("accept-language")))
        self._calls.add(_line(call, reply, record))
        return reply

    def _answer(self, call: Call, record: _CallRecord) -> Reply:
        task = self._task
        record.app = app = self._proofs.app_of(call, task.apps)
        self._quotas.spend(app)
        api = task.apis.get(call.path)
        if api is None:
            raise ApiUnknown(path=call.path[:_MAX_PATH_LENGTH])
        record.api = api
        if api.id not in app.apis:
            raise NotGranted
        return self._rows(api, task.sources[api.query.source], call_options(call, api.query))

    def _rows(self, api: PublishedApi, connection: Connection, options: CallOptions) -> Reply:
        values = values_of(api.query.parameters, options.values)
        key: Hashable = (api.id, api.version, tuple(values.items()), options.page, options.size, options.form)
        cached = self._cache.get(key) if api.cache_s else None
        if cached is not None:
            return replace(cached, cached=True)
        text = text_of(api.query, connection.kind)
        skip = (options.page - 1) * options.size
        found = self._found(api, connection, query_of(api.query, text, values, options.size, skip))
        reply = rows_reply(found, options)
        if api.cache_s:
            self._cache.put(key, reply, api.cache_s)
        return reply

    def _found(self, api: PublishedApi, connection: Connection, query: Query) -> Found:
        with self.sessions.lent(api.query.source, connection, query.timeout_ms / 1000) as runner:
            return runner.run(query)


def _line(call: Call, reply: Reply, record: _CallRecord) -> ApiCall:
    return ApiCall(
        id=new_id(),
        at=record.at,
        api=record.api.id if record.api is not None else "",
        version=record.api.version if record.api is not None else 0,
        app=record.app.id if record.app is not None else "",
        method=call.method,
        path=call.path[:_MAX_PATH_LENGTH],
        address=call.address,
        status=reply.status,
        rows=reply.rows,
        bytes=len(reply.body),
        duration_ms=round((time.monotonic() - record.began) * 1000),
        cached=reply.cached,
        error=_shortened(record.error),
    )


def _shortened(reason: Reason | None) -> Reason | None:
    if reason is None:
        return None
    return Reason(code=reason.code, facts={name: fact[:_MAX_FACT_LENGTH] for name, fact in reason.facts.items()})
