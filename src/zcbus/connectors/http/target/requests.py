"""Events as requests: what a target's part of the document says to send for them."""

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import orjson

from zcbus.connectors.emitting.events import Event, Operation
from zcbus.connectors.emitting.json_events import event_to_json
from zcbus.connectors.http.client import Message
from zcbus.connectors.http.parts import Text
from zcbus.connectors.http.target.document import CallPart, RowsPart, TargetPart, WebhookPart
from zcbus.connectors.http.target.signing import signed
from zcbus.connectors.http.target.values import record_of, text_of
from zcbus.connectors.http.templates import filled, filled_below

_SHOWN = 120


class NotExpressible(ValueError):
    """The document says no request for an event; why, for people."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A request for one or several events."""

    place: str
    query: Mapping[str, str]
    message: Message
    accepted: frozenset[int] = field(default_factory=frozenset)
    """Statuses that are accepted besides those of the target."""


def call_of(target: RowsPart, event: Event) -> CallPart:
    """The call for an event. Raises NotExpressible."""
    if event.operation is Operation.DELETE:
        found = target.delete
    elif event.operation is Operation.UPDATE:
        found = target.patch if _keeps_key(event) else None
    else:
        found = target.put
    if found is None:
        what = "delete" if event.operation is Operation.DELETE else "patch"
        lacks = sorted(set(target.columns) - set(event.row)) if what == "patch" else []
        unsent = f" (the source did not send {', '.join(lacks)})"[:_SHOWN] if lacks else ""
        raise NotExpressible(f"the document declares no {what} for {target.name}{unsent}")
    return found


def batch_of(target: TargetPart, event: Event) -> int:
    """How many events like this one a request may have. Raises NotExpressible."""
    if isinstance(target, WebhookPart):
        return 1 if event.operation in (Operation.TRUNCATE, Operation.STRUCTURE) else target.batch
    return call_of(target, event).batch


def outgoing(
    target: TargetPart, events: Sequence[Event], values: Mapping[str, str], secrets: Sequence[bytes]
) -> Outgoing:
    """One request for events of one call. `values`: those of the connection; `secrets`: that sign. Raises
    NotExpressible, ValueMissing, ValueError."""
    if isinstance(target, WebhookPart):
        return _webhook(target, events, values, secrets)
    return _rows(target, events, values)


def _webhook(
    target: WebhookPart, events: Sequence[Event], values: Mapping[str, str], secrets: Sequence[bytes]
) -> Outgoing:
    bodies = [event_to_json(event) for event in events]
    content = orjson.dumps(bodies[0] if target.batch == 1 else bodies)
    identifier = events[0].id if target.batch == 1 else _id_of(events)
    fixed = _filled(target.headers, values)

    def headers() -> dict[str, str]:
        return {**fixed, **signed(identifier, int(time.time()), content, secrets if target.signed else ())}

    message = Message("POST", headers, content)
    return Outgoing(filled(target.path, _in_path(values)), _filled(target.query, values), message)


def _id_of(events: Sequence[Event]) -> str:
    """Of several: another one where they are others."""
    return "batch-" + hashlib.sha256("\n".join(one.id for one in events).encode()).hexdigest()[:32]


def _rows(target: RowsPart, events: Sequence[Event], values: Mapping[str, str]) -> Outgoing:
    first = events[0]
    call = call_of(target, first)
    given = dict(values)
    if call.batch == 1:
        row = {**first.key, **first.row}
        if missing := sorted(call.named() - row.keys()):
            raise NotExpressible(f"the source did not send {', '.join(missing)}")
        given |= {f"row.{name}": text_of(first.table.column(name).type, value) for name, value in row.items()}
        if empty := sorted(name for name in call.named() if not given[f"row.{name}"]):
            raise NotExpressible(f"{', '.join(empty)}: no value for the request")
    headers = _filled({**call.headers, **({target.idempotency: first.id} if target.idempotency else {})}, given)
    if target.idempotency and call.batch > 1:
        headers[target.idempotency] = _id_of(events)
    message = Message(call.method, headers, _content(target, call, events, given))
    gone = first.operation is Operation.DELETE
    accepted = frozenset(target.absent if gone and call.batch == 1 else ())
    return Outgoing(filled(call.path, _in_path(given)), _filled(call.query, given), message, accepted)


def _content(target: RowsPart, call: CallPart, events: Sequence[Event], values: Mapping[str, str]) -> bytes:
    if call.content == "none":
        return b""
    records = [record_of(one.table, target.columns, _sent(call, one)) for one in events]
    body: Any = records[0] if call.batch == 1 else records
    if call.under is not None:
        return orjson.dumps({**filled_below(call.body, values), call.under: body})
    return orjson.dumps({**body, **filled_below(call.body, values)} if call.batch == 1 else body)


def _sent(call: CallPart, event: Event) -> dict[str, Any]:
    return dict(event.key if call.content == "key" or not event.row else event.row)


def _keeps_key(event: Event) -> bool:
    return all(event.row.get(name, value) == value for name, value in event.key.items())


def _in_path(values: Mapping[str, str]) -> dict[str, str]:
    """A value is one part of a path, whatever it has."""
    return {name: quote(value, safe="") for name, value in values.items() if value not in (".", "..", "")}


def _filled(texts: Mapping[str, Text], values: Mapping[str, str]) -> dict[str, str]:
    return {name: filled(text, values) for name, text in texts.items()}
