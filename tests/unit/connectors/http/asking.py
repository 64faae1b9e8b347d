"""Reading a document's resources from the service of a test."""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from tests.support.rest_service import RestService
from zcbus.connectors.http.client import Client
from zcbus.connectors.http.document_text import read
from zcbus.connectors.http.records import Records
from zcbus.connectors.http.spec import HttpOptions


def options(service: RestService, definition: str, **given: Any) -> HttpOptions:
    return HttpOptions(url=service.url, definition=definition, **given)


def batches(asked: HttpOptions, name: str, after: str | None = None) -> Iterator[pa.RecordBatch]:
    interface = read(asked.definition)
    resource = interface.resource(name)
    assert resource is not None
    client = Client(asked, interface)
    try:
        yield from Records(asked, interface, client).batches(resource, after)
    finally:
        client.close()


def rows(asked: HttpOptions, name: str, after: str | None = None) -> list[tuple[Any, ...]]:
    return [row for batch in batches(asked, name, after) for row in zip(*batch.to_pydict().values(), strict=True)]
