"""Sends events to an interface: several at a time, those of one key in their order."""

import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from zcbus.connectors.emitting.events import Event
from zcbus.connectors.errors import DatabaseFailed, SourceUnavailable, TargetUnavailable
from zcbus.connectors.http.client import Client, HttpRefusal
from zcbus.connectors.http.document_text import read
from zcbus.connectors.http.spec import SCHEMA, HttpOptions
from zcbus.connectors.http.target.document import RowsPart, TargetPart, WebhookPart
from zcbus.connectors.http.target.requests import NotExpressible, batch_of, outgoing
from zcbus.connectors.http.target.signing import SecretInvalid, secrets_of
from zcbus.connectors.http.templates import ValueMissing, parameters
from zcbus.model.schema import Column, TableName, TableSchema

Numbered = tuple[int, Event]


def schema_of(target: RowsPart, kind: str) -> TableSchema:
    """The table of a target of rows."""
    columns = tuple(Column(name, part.data, name not in target.key) for name, part in target.columns.items())
    return TableSchema(TableName(SCHEMA, target.name), kind, columns, primary_key=tuple(target.key))


class HttpEmitter:
    """See emitting.events.Emitter. Connects when it sends."""

    def __init__(self, options: HttpOptions) -> None:
        self._options, self._interface = options, read(options.definition)
        self._values = {**parameters(options.parameters), "account": options.account}
        self._client: Client | None = None
        self._threads: ThreadPoolExecutor | None = None

    @property
    def identity(self) -> str:
        return f"http:{self._options.url.rstrip('/')}:{self._options.parameters}"

    def declared(self, name: TableName) -> TableSchema | None:
        target = self._target(name)
        return schema_of(target, self._options.kind) if isinstance(target, RowsPart) else None

    def declares(self) -> list[TableSchema]:
        return [schema_of(one, self._options.kind) for one in self._interface.targets if isinstance(one, RowsPart)]

    def accepts(self, name: TableName) -> bool:
        return self._target(name) is not None

    def is_numbered(self, name: TableName) -> bool:
        target = self._target(name)
        return isinstance(target, WebhookPart) or (isinstance(target, RowsPart) and target.idempotency is not None)

    def has_table_events(self, name: TableName) -> bool:
        return isinstance(self._target(name), WebhookPart)

    def send(self, events: Sequence[Event]) -> list[str]:
        target = self._target(events[0].table.name)
        if target is None:
            raise self._failed(f"the document has no target {events[0].table.name.table}")
        answers = [""] * len(events)
        queues = _queues(events, target.in_flight)
        if len(queues) == 1:
            self._send_queue(target, queues[0], answers)
            return answers
        if self._threads is None:
            most = max(one.in_flight for one in self._interface.targets)
            self._threads = ThreadPoolExecutor(most, thread_name_prefix="http")
        self._connected()
        sending = [self._threads.submit(self._send_queue, target, queue, answers) for queue in queues]
        errors = [error for one in sending if (error := one.exception()) is not None]
        if errors:
            raise errors[0]
        return answers

    def close(self) -> None:
        if self._threads is not None:
            self._threads.shutdown()
            self._threads = None
        if self._client is not None:
            self._client.close()
            self._client = None

    def _target(self, name: TableName) -> TargetPart | None:
        return self._interface.target(name.table) if name.schema == SCHEMA else None

    def _send_queue(self, target: TargetPart, queue: Sequence[Numbered], answers: list[str]) -> None:
        for group in _groups(queue, lambda event: batch_of(target, event)):
            self._send_group(target, group, answers)

    def _send_group(self, target: TargetPart, group: Sequence[Numbered], answers: list[str]) -> None:
        """Of a request that is refused, the halves are sent, down to the events that are the cause."""
        why = self._refusal(target, [event for _, event in group])
        if not why:
            return
        if len(group) == 1:
            answers[group[0][0]] = why
            return
        middle = len(group) // 2
        self._send_group(target, group[:middle], answers)
        self._send_group(target, group[middle:], answers)

    def _refusal(self, target: TargetPart, events: Sequence[Event]) -> str:
        try:
            request = outgoing(target, events, self._values, self._secrets(target))
        except ValueMissing as error:
            raise self._failed(f"${{{error}}}: no value") from error
        except ValueError as error:  # NotExpressible, or a text that is no value of its type
            return str(error)
        try:
            status = self._connected().submit(request.place, request.query, request.message)
        except HttpRefusal as refused:
            # An answer of 2xx that cannot be read was one nevertheless.
            is_plain = refused.status // 100 == 2 and not target.success
            accepted = is_plain or refused.status in request.accepted or refused.status in target.success
            return "" if accepted else str(refused)
        except SourceUnavailable as error:
            raise TargetUnavailable(**error.facts) from error
        return "" if not target.success or status in target.success else f"{status}: not in success"

    def _secrets(self, target: TargetPart) -> list[bytes]:
        if not isinstance(target, WebhookPart) or not target.signed:
            return []
        try:
            found = secrets_of(self._options.signing)
        except SecretInvalid as error:
            raise self._failed(f"signing: {error}") from error
        if not found:
            raise self._failed("the document wants signed events, and the connection has no signing secret")
        return found

    def _connected(self) -> Client:
        if self._client is None:
            self._client = Client(self._options, self._interface)
        return self._client

    def _failed(self, detail: str) -> DatabaseFailed:
        return DatabaseFailed(kind=self._options.kind, detail=detail)


def _queues(events: Sequence[Event], count: int) -> list[list[Numbered]]:
    """Events divided by key: those of one key are in one queue."""
    queues: dict[int, list[Numbered]] = {}
    for number, event in enumerate(events):
        key = repr([event.key[name] for name in event.table.primary_key if name in event.key])
        queues.setdefault(zlib.crc32(key.encode()) % count, []).append((number, event))
    return list(queues.values())


def _groups(queue: Sequence[Numbered], most: Callable[[Event], int]) -> Iterator[list[Numbered]]:
    """Neighbours of one operation, as many as one request may have."""
    group: list[Numbered] = []
    limit = 1
    for one in queue:
        if group and (len(group) >= limit or group[0][1].operation is not one[1].operation):
            yield group
            group = []
        if not group:
            try:
                limit = most(one[1])
            except NotExpressible:
                limit = 1  # the request says why
        group.append(one)
    if group:
        yield group
