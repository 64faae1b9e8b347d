"""Tasks of data services."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from pydantic import SecretStr
from sqlalchemy import Connection, Row

from zcbus.control.features.data_service import apps, repository
from zcbus.control.features.data_service.schemas import ApiDraft
from zcbus.control.features.data_service.statements import query_of
from zcbus.control.features.datasource import connections
from zcbus.control.platform.secrets import SecretBox
from zcbus.protocol.data_service import ApiApp, DataServiceTask, PublishedApi


def tasks_of(connection: Connection, secrets: SecretBox, service_ids: Iterable[str]) -> dict[str, DataServiceTask]:
    """The complete tasks of data services by their services; one deleted meanwhile has none."""
    data_services = repository.of_services(connection, service_ids)
    published: dict[str, list[Row[Any]]] = defaultdict(list)
    for row in repository.published_of(connection, [owner.id for owner in data_services]):
        published[row.data_service_id].append(row)
    return {owner.service_id: _task(connection, secrets, owner, published[owner.id]) for owner in data_services}


def _task(connection: Connection, secrets: SecretBox, owner: Row[Any], rows: list[Row[Any]]) -> DataServiceTask:
    sources = connections.open_known(connection, secrets, {row.data_source_id for row in rows})
    served = [row for row in rows if row.data_source_id in sources]
    return DataServiceTask(
        service=owner.service_id,
        host=owner.host,
        port=owner.port,
        sources=sources,
        apis=tuple(_api(row) for row in served),
        apps=_apps(connection, secrets, {row.id for row in served}),
    )


def _api(row: Row[Any]) -> PublishedApi:
    version = ApiDraft.model_validate(row.definition)
    return PublishedApi(
        id=row.id,
        path=row.full_path,
        version=row.number,
        query=query_of(version, row.data_source_id),
        cache_s=version.cache_s,
    )


def _apps(connection: Connection, secrets: SecretBox, served: set[str]) -> tuple[ApiApp, ...]:
    rows = repository.apps_granted(connection, served)
    grants = repository.grants_of(connection, [row.id for row in rows])
    return tuple(
        ApiApp(
            id=row.id,
            key=row.key,
            secret_hash=SecretStr(apps.secret_hash(secrets, row)),
            addresses=tuple(row.addresses),
            per_minute=row.per_minute,
            apis=tuple(one for one in grants[row.id] if one in served),
            expires_at=row.expires_at,
        )
        for row in rows
    )
