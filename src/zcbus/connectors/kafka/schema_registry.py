"""Values in Avro whose schemas a schema registry keeps: a zero byte, the schema's number in four, then the record."""

import struct
from io import BytesIO
from typing import Any
from urllib.parse import quote

import fastavro
import httpx
import orjson

from zcbus.connectors import http_transport
from zcbus.connectors.errors import AccessDenied, SourceUnavailable
from zcbus.connectors.formats.form import json_text
from zcbus.connectors.kafka.spec import KafkaOptions
from zcbus.connectors.tls import is_untrusted

_HEAD = struct.Struct(">bI")
_SECONDS = 10.0
_MAX_SCHEMA_BYTES = 4 << 20
_MISSING, _REFUSED = 404, (401, 403)


class SchemaRegistry:
    """Schemas by number, which never change: each is asked for once. Used by one thread at a time."""

    def __init__(self, options: KafkaOptions) -> None:
        self._options, self._schemas = options, dict[int, Any]()
        account = (options.registryuser, options.registrypassword) if options.registryuser else None
        self._http = http_transport.client(None, timeout=_SECONDS, auth=account)

    def json_of(self, value: bytes) -> bytes:
        """The JSON text of a message's value. Raises ValueError where it is no such value, SourceUnavailable,
        AccessDenied."""
        if len(value) < _HEAD.size or value[0] != 0:
            raise ValueError("it does not begin as values of a schema registry do")
        schema, body = self._schema(_HEAD.unpack_from(value)[1]), BytesIO(value[_HEAD.size :])
        try:
            record = fastavro.schemaless_reader(body, schema, None)
        except MemoryError:
            raise  # it ends the process
        # The value may be anything, and any error may follow.
        except Exception as error:  # noqa: BLE001
            raise ValueError(f"no Avro of its schema: {type(error).__name__}: {error}") from None
        if body.read(1):
            raise ValueError("it is longer than a record of its schema")
        return json_text(record).encode()

    def _schema(self, number: int) -> Any:
        known = self._schemas.get(number)
        if known is None:
            named: dict[str, Any] = {}
            known = self._schemas[number] = self._parsed(self._ask(f"schemas/ids/{number}"), named)
        return known

    def _parsed(self, found: dict[str, Any], named: dict[str, Any]) -> Any:
        """A schema with those that it refers to, collected in `named`."""
        if found.get("schemaType", "AVRO") != "AVRO":
            raise ValueError(f"its schema is no Avro: {found['schemaType']}")
        for one in found.get("references") or ():
            version = f"{quote(str(one['subject']), safe='')}/versions/{int(one['version'])}"
            self._parsed(self._ask(f"subjects/{version}"), named)
        try:
            return fastavro.parse_schema(orjson.loads(found["schema"]), named_schemas=named)
        except Exception as error:  # noqa: BLE001  # any may follow, of a text that others wrote
            raise ValueError(f"its schema cannot be read: {type(error).__name__}: {error}") from None

    def _ask(self, path: str) -> dict[str, Any]:
        url = f"{self._options.registry.rstrip('/')}/{path}"
        try:
            answer = self._http.get(url, headers={"accept": "application/vnd.schemaregistry.v1+json"})
        except (httpx.HTTPError, httpx.InvalidURL, OSError, UnicodeError) as error:
            if is_untrusted(error):
                raise self._denied(str(error)) from error
            raise self._unavailable(f"{url}: {str(error) or type(error).__name__}") from error
        if answer.status_code == _MISSING:
            raise ValueError(f"{url}: the registry has no such schema")
        if answer.status_code in _REFUSED:
            raise self._denied(f"{url}: {answer.status_code}")
        if answer.status_code != httpx.codes.OK or len(answer.content) > _MAX_SCHEMA_BYTES:
            raise self._unavailable(f"{url}: {answer.status_code}, {len(answer.content)} bytes")
        try:
            found = orjson.loads(answer.content)
        except ValueError as error:
            raise self._unavailable(f"{url}: no JSON") from error
        if not isinstance(found, dict) or "schema" not in found:
            raise self._unavailable(f"{url}: no schema")
        return found

    def reach(self) -> None:
        """Raise SourceUnavailable or AccessDenied where the registry does not answer."""
        try:
            self._ask("schemas/ids/0")
        except ValueError:
            return  # it answers: there is no such schema

    def _unavailable(self, detail: str) -> SourceUnavailable:
        return SourceUnavailable(kind=self._options.kind, address=self._options.address, detail=detail[:300])

    def _denied(self, detail: str) -> AccessDenied:
        options = self._options
        return AccessDenied(kind=options.kind, address=options.registry, user=options.registryuser, detail=detail[:300])
