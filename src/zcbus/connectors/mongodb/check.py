"""The connection test, check by check."""

import re
from itertools import islice
from typing import Any

from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.mongodb.catalog import Catalog
from zcbus.connectors.mongodb.connection import Document, MongoDBConnection
from zcbus.connectors.mongodb.samples import suggested
from zcbus.connectors.mongodb.spec import ID, REST, MongoDBOptions
from zcbus.connectors.reachability import reachable
from zcbus.connectors.roles import CheckResult, Side
from zcbus.connectors.roles.connector import Advice
from zcbus.kit.errors import ZcbusError
from zcbus.model.schema import TableSchema

_SECONDS = 5.0
_OLDEST = (4, 4)
_SHOWN = 5
_SAMPLES = 100
"""First and last documents of a collection, by id."""
_NEEDED = {
    "source": frozenset({"find", "listCollections"}),
    "target": frozenset(
        {"find", "listCollections", "insert", "update", "remove", "createCollection", "dropCollection"}
    ),
}
_ROLES = {"source": "read", "target": "readWrite"}


class MongoDBTester:
    """See roles.Tester."""

    def test(self, options: MongoDBOptions, side: Side) -> list[CheckResult]:
        results = [reachable(options.host, options.port, options.way, _SECONDS, "net.bindIp: 0.0.0.0")]
        if not results[0].ok:
            return results
        with MongoDBConnection(options, side, _SECONDS) as connection:
            for item, ask in (("version", _version), ("primary", _primary), ("permissions", _rights)):
                try:
                    results += ask(connection, side)
                except ZcbusError as error:
                    return [*results, _failed(item, error)]
                if any(one.blocking and not one.ok for one in results):
                    return results
            if side == "source":
                results += _suggestions(connection)
        return results


def _failed(item: str, error: ZcbusError) -> CheckResult:
    detail = str(error.facts.get("detail", error))
    advice: Advice = "address"
    if isinstance(error, AccessDenied):
        untrusted = "CERTIFICATE" in detail.upper()
        item, advice = ("login", "certificate" if untrusted else "account") if item == "version" else (item, "access")
    return CheckResult(item, "db.runCommand({ping: 1})", False, True, detail, "", advice)


def _command(connection: MongoDBConnection, name: str, **arguments: Any) -> Document:
    with connection.translated():
        return dict(connection.database.command(name, **arguments))


def _version(connection: MongoDBConnection, side: Side) -> list[CheckResult]:
    """A server that speaks the protocol and lacks types of it is recognised by its own description."""
    options, statement = connection.options, "db.runCommand({buildInfo: 1})"
    _command(connection, "ping")
    login = CheckResult("login", "db.runCommand({ping: 1})", True, True, options.user or "-")
    found = _command(connection, "buildInfo")
    number, other = str(found.get("version", "")), found.get("ferretdb") or found.get("ferretdbVersion")
    detail = f"MongoDB {number}" if not other else f"FerretDB ({number})"
    if tuple(int(one) for one in re.findall(r"\d+", number)[:2]) < _OLDEST:
        least = f"MongoDB >= {'.'.join(map(str, _OLDEST))}"
        return [login, CheckResult("version", statement, False, True, detail, least, "newer-version")]
    if other and side == "target" and options.values == "bson":
        return [login, CheckResult("version", statement, False, False, detail, "values: common", "configuration")]
    return [login, CheckResult("version", statement, True, True, detail)]


def _primary(connection: MongoDBConnection, side: Side) -> list[CheckResult]:
    statement = "db.runCommand({hello: 1})"
    found = _command(connection, "hello")
    name, is_primary = found.get("setName"), bool(found.get("isWritablePrimary"))
    detail = f"{name or '-'}, {found.get('me') or connection.options.address}"
    if is_primary:
        return [CheckResult("primary", statement, True, True, detail)]
    remedy = f"replicaset: {name}" if name else str(found.get("primary", ""))
    return [CheckResult("primary", statement, False, True, detail, remedy, "primary")]


def _rights(connection: MongoDBConnection, side: Side) -> list[CheckResult]:
    """Whether collections can be listed, and the account has the rights of the side on the complete database."""
    options, statement = connection.options, "db.runCommand({listCollections: 1})"
    names = [str(name.table) for name in Catalog(connection).schemas()]
    shown = ", ".join(names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
    listed = CheckResult("permissions", statement, True, True, f"{len(names)}: {shown}" if names else "0")
    if not options.user:
        return [listed]
    missing = _NEEDED[side] - _actions(_command(connection, "connectionStatus", showPrivileges=True), options.database)
    if not missing:
        return [listed]
    role = f'{{role: "{_ROLES[side]}", db: "{options.database}"}}'
    remedy = f'use {options.authsource}; db.grantRolesToUser("{options.user}", [{role}])'
    statement = "db.runCommand({connectionStatus: 1, showPrivileges: true})"
    detail = "- " + ", ".join(sorted(missing))
    return [CheckResult("permissions", statement, False, side == "target", detail, remedy, "access")]


def _actions(status: Document, database: str) -> set[str]:
    """What the account may do with all collections of a database."""
    found: set[str] = set()
    for one in (status.get("authInfo") or {}).get("authenticatedUserPrivileges") or ():
        resource = one.get("resource") or {}
        whole = resource.get("anyResource") or (
            resource.get("db") in ("", database) and not resource.get("collection") and "cluster" not in resource
        )
        if whole:
            found.update(one.get("actions") or ())
    return found


def _suggestions(connection: MongoDBConnection) -> list[CheckResult]:
    """Columns of the first collections that have none declared."""
    catalog = Catalog(connection)
    tables = [one for one in catalog.schemas().values() if one.names == (ID, REST)]
    found = []
    for table in tables[:_SHOWN]:
        columns = suggested(_samples(connection, table))
        if columns:
            statement = f"db.{table.name.table}.find().sort({{_id: 1}}).limit({_SAMPLES})"
            found.append(CheckResult("columns", statement, True, False, f"{table.name.table}: {columns}"))
    return found


def _samples(connection: MongoDBConnection, table: TableSchema) -> list[Document]:
    collection = connection.collection(table.name.table)
    ends = (connection.pages(collection, {}, order=[(ID, way)], limit=_SAMPLES) for way in (1, -1))
    return [one for pages in ends for page in islice(pages, 1) for one in page]
