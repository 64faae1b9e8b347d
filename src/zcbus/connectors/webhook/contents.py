"""Bodies of requests as deliveries, and whether they are rows of their tables: what is none is refused at once."""

import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from zcbus.connectors.consuming.acknowledging.reader import Delivery
from zcbus.connectors.consuming.consumer import Message
from zcbus.connectors.consuming.options import ROW_KEY
from zcbus.connectors.consuming.rows import MessageRows
from zcbus.connectors.formats.json_text import json_of, parse, text_of
from zcbus.connectors.webhook.spec import WebhookOptions
from zcbus.connectors.webhook.waiting import Answer, Request
from zcbus.model.schema import TableSchema

_MAX_ROWS = 10_000
"""Of one request."""


class Refused(Exception):
    """A body is not as declared. Has the answer to its sender."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.answer = Answer(status, detail[:500])


class Contents:
    """Of one data source."""

    def __init__(self, options: WebhookOptions) -> None:
        self._options, self._rows = options, MessageRows(options)
        self._most = options.limit << 20
        self._schemas: dict[str, TableSchema] = {}

    def deliveries(self, request: Request) -> list[Delivery]:
        """One for each row, in their order; the last one acknowledges the request. Raises Refused."""
        body = _decompressed(request.body, self._most) if request.is_compressed else request.body
        place = self._options.identifier(request.path)
        if self._options.value not in ("json", "debezium"):
            return [self._delivery(request, body, 0, _header(request, place), request.number)]
        try:
            found = parse(body.decode())
            values = found if isinstance(found, list) else [found]
            if len(values) > _MAX_ROWS:
                raise Refused(413, f"at most {_MAX_ROWS} rows")
            bodies = [json_of(one).encode() for one in values] if isinstance(found, list) else [body]
        except (ValueError, RecursionError) as error:
            raise Refused(400, f"no JSON: {error}") from error
        last = len(values) - 1
        return [
            self._delivery(
                request, one, part, _identifier(request, place, value), request.number if part == last else None
            )
            for part, (one, value) in enumerate(zip(bodies, values, strict=True))
        ]

    def fault(self, path: str, deliveries: Sequence[Delivery]) -> str:
        """Why they are no rows of the path's table; empty: they are."""
        schema = self._schema(path)
        messages = [Message(path, 0, 0, one.time_ms, one.key, one.value, one.headers, one.more) for one in deliveries]
        return self._rows.fault(
            schema, messages if schema.primary_key == ROW_KEY else self._rows.with_contents(messages)
        )

    def _schema(self, path: str) -> TableSchema:
        if path not in self._schemas:
            self._schemas[path] = self._rows.schema(path)
        return self._schemas[path]

    def _delivery(
        self, request: Request, body: bytes, part: int, identifier: str | None, token: int | None
    ) -> Delivery:
        key = None if identifier is None else identifier.encode(errors="surrogatepass")
        more = [str(part), request.sender, request.query or None]
        return Delivery(request.path, request.time_ms, key, body, request.headers, more, token)


def _header(request: Request, place: str) -> str | None:
    """The event's id where it is a header; it may have any bytes."""
    wanted = place.lower()
    found = [value for name, value in request.headers if name == wanted]
    return found[0].decode("utf-8", "replace") if len(found) == 1 else None


def _identifier(request: Request, place: str, value: Any) -> str | None:
    """The event's id; None: there is none."""
    if not place.startswith("."):
        return _header(request, place)
    for name in place[1:].split("."):
        if not isinstance(value, Mapping) or name not in value:
            return None
        value = value[name]
    return None if isinstance(value, dict | list) else text_of(value)


def _decompressed(body: bytes, most: int) -> bytes:
    """One layer of gzip, of bounded size whatever is in it."""
    reader = zlib.decompressobj(wbits=31)
    try:
        found = reader.decompress(body, most + 1)
    except zlib.error as error:
        raise Refused(400, f"no gzip: {error}") from error
    if len(found) > most:
        raise Refused(413, f"at most {most >> 20} MiB")
    if not reader.eof or reader.unused_data:
        raise Refused(400, "no gzip: it has no end, or something behind it")
    return found
