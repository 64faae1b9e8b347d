"""Every call, made with every kind of id of another tenant: nothing of that tenant is shown, nothing of it changes."""

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tests.integration.control.features.conftest import document
from tests.integration.control.features.fake_agent import Database, FakeAgent, fake_agent
from tests.integration.control.features.people import administrator_of, form
from tests.integration.control.features.strategies import define_strategy
from tests.integration.control.platform.access_table import ACCESS
from tests.support.control_plane import ControlPlane, control_plane
from zcbus.control.features.alert.watch import evaluate
from zcbus.control.store.tables import metadata
from zcbus.model.states import ServiceState, SyncState
from zcbus.protocol.base import Reason

# The tenant's name, and a part of everything it names: where it shows in an answer, something leaked.
FOREIGN = "zanzibar"
# Tables that every call may add to or touch.
SHARED = {
    "agent",
    "agent_request",
    "audit_anchor",
    "audit_link",
    "audit_record",
    "captcha",
    "container",
    "login_failure",
}
# Tables that the platform's own background actions write meanwhile.
WATCHED = {"alert": {"level", "facts", "reason", "mark", "update_time", "recovered_time"}}
MAX_DEPTH = 6

Rows = dict[str, dict[tuple[Any, ...], tuple[Any, ...]]]


@pytest.fixture(scope="module")
def plane(prepared_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    folder = tmp_path_factory.mktemp("apart")
    shutil.copytree(prepared_sqlite, folder, dirs_exist_ok=True)
    with control_plane(folder, f"sqlite:///{folder}/store.db") as running:
        yield running


@pytest.fixture(scope="module")
def agent(plane: ControlPlane) -> Iterator[FakeAgent]:
    with fake_agent(plane, Database(tables=((FOREIGN, "orders"), (FOREIGN, "lines")))) as running:
        yield running


@pytest.fixture(scope="module")
def foreign_rows(plane: ControlPlane, agent: FakeAgent) -> Rows:
    """Data of the other tenant: something of everything a tenant can have."""
    before = stored(plane)
    boss = administrator_of(plane, FOREIGN)
    side = {"host": f"{FOREIGN}.example", "port": 5432, "user": FOREIGN, "password": "secret-1", "database": FOREIGN}
    link = document(
        link=FOREIGN,
        source={"kind": "postgresql", **side},
        target={"kind": "mysql", **side},
        tables=[f"{FOREIGN}.*"],
    )
    link_id = boss.call("sync/link/apply", {"document": link})["id"]
    plan = {"name": FOREIGN, "trigger": "cron", "cron": "0 2 * * *", "timeZone": "UTC", "remark": FOREIGN}
    plan_id = boss.call("task/plan/add", {**plan, "job": {"type": "reload", "link": link_id}})["id"]
    boss.call("task/plan/run", {"id": plan_id})
    boss.call("sys/notice/receiver/add", {"name": FOREIGN, "way": "slack", "url": f"https://{FOREIGN}.example/hook"})
    department = boss.call("account/dept/add", {"name": FOREIGN})["id"]
    boss.call("account/user/upsert", form(FOREIGN, deptId=department, description=FOREIGN))
    names = {"code": FOREIGN, "nameZh": FOREIGN, "nameEn": FOREIGN}
    boss.call("account/role/add", {**names, "permissions": [{"menuKey": "home", "operations": ["view"]}]})
    boss.call("sys/user-setting/save", {"name": FOREIGN, "value": {"order": [FOREIGN]}})
    customers = [option["customerid"] for option in boss.call("subscribe/customer/list", {})]
    define_strategy(plane, FOREIGN, FOREIGN, customers)
    agent.run_services(ServiceState.ABNORMAL, Reason(code="worker-ended", facts={"result": FOREIGN}))
    agent.report_tables(SyncState.ERROR, reason=Reason(code="worker-ended", facts={"result": FOREIGN}))
    evaluate(plane.services)
    alert = boss.call("sys/alarmmsg/page")["records"][0]["id"]
    until = (plane.clock.now() + timedelta(hours=1)).isoformat()
    boss.call("sys/alarmmsg/mute/add", {"id": alert, "scope": "object", "until": until})
    return {
        table: {key: row for key, row in rows.items() if key not in before[table]}
        for table, rows in stored(plane).items()
    }


def stored(plane: ControlPlane) -> Rows:
    """Every row of the store by table and primary key."""
    with plane.services.database.read() as connection:
        return {
            table.name: {
                tuple(row[column.name] for column in table.primary_key): _kept(table.name, row)
                for row in connection.execute(sa.select(table)).mappings()
            }
            for table in metadata.sorted_tables
        }


def _kept(table: str, row: sa.RowMapping) -> tuple[Any, ...]:
    return tuple(value for name, value in row.items() if name not in WATCHED.get(table, ()))


class Filler:
    """Bodies and queries that a call takes, with this id wherever an id goes, and this text wherever a text does."""

    def __init__(self, openapi: dict[str, Any], identifier: str, text: str, *, only_required: bool = False) -> None:
        self._models = openapi["components"]["schemas"]
        self._id = identifier
        self._text = text
        self._only_required = only_required

    def value(self, schema: dict[str, Any], name: str, depth: int = 0) -> Any:
        if "$ref" in schema:
            return self.value(self._models[schema["$ref"].rsplit("/", 1)[-1]], name, depth)
        for several in ("anyOf", "oneOf", "allOf"):
            if several in schema:
                return self.value(next(one for one in schema[several] if one.get("type") != "null"), name, depth)
        if "enum" in schema or "const" in schema:
            return schema.get("enum", [schema.get("const")])[0]
        return self._of_type(schema, name, depth + 1)

    def _of_type(self, schema: dict[str, Any], name: str, depth: int) -> Any:
        match schema.get("type"):
            case "object":
                return self._object(schema, depth)
            case "array":
                return [self.value(schema["items"], name, depth)] if depth < MAX_DEPTH else []
            case "integer" | "number":
                return schema.get("default", max(1, schema.get("minimum", 1)))
            case "boolean":
                return schema.get("default", False)
            case _:
                word = self._id if name.lower().endswith(("id", "ids")) else self._text
                return word[: schema.get("maxLength")]

    def _object(self, schema: dict[str, Any], depth: int) -> dict[str, Any]:
        wanted = schema.get("required", []) if self._only_required else schema.get("properties", {})
        return {name: self.value(schema["properties"][name], name, depth) for name in wanted if depth < MAX_DEPTH}

    def arguments(self, operation: dict[str, Any]) -> dict[str, Any]:
        """Arguments of an HTTP client."""
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        query = {
            parameter["name"]: str(self.value(parameter["schema"], parameter["name"]))
            for parameter in operation.get("parameters", [])
            if parameter["in"] == "query"
        }
        return {"json": self.value(content["schema"], "") if content else None, "params": query}


def calls(openapi: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Method, path and description of every call that signed-in users make."""
    for path, methods in openapi["paths"].items():
        for method, operation in methods.items():
            if ACCESS[f"{method.upper()} {path.removeprefix('/api/zcbus/')}"] not in ("public", "agent"):
                yield method.upper(), path, operation


def fillers(openapi: dict[str, Any], rows: Rows) -> Iterator[Filler]:
    """One that names nothing, so that lists show all they have, and one for an id of each table."""
    yield Filler(openapi, "own", "own", only_required=True)
    for found in rows.values():
        if found:
            yield Filler(openapi, str(next(iter(found))[0]), FOREIGN)


def test_no_call_shows_or_changes_anything_of_another_tenant(plane: ControlPlane, foreign_rows: Rows) -> None:
    assert {table for table, rows in foreign_rows.items() if rows} >= {
        *("alert", "channel", "customer", "data_source", "department", "master", "publish_node", "published_table"),
        *("role", "service", "strategy", "strategy_customer", "subscribed_table", "sync_link", "tenant"),
        *("user_account", "user_setting"),
    }
    headers = {"ZCBUS-TOKEN": administrator_of(plane, "south").token}
    openapi = plane.client.get("/openapi.json").json()
    # A link of the operation log is known by a small number.
    named = [rows for table, rows in foreign_rows.items() if table != "audit_link"]
    secrets = {str(key[0]) for rows in named for key in rows} | {FOREIGN}
    made: set[str] = set()
    for filler in fillers(openapi, foreign_rows):
        for method, path, operation in calls(openapi):
            arguments = filler.arguments(operation)
            request_line = f"{method} {path} {arguments}"
            if request_line in made:
                continue
            made.add(request_line)
            answer = plane.client.request(method, path, headers=headers, **arguments)
            assert answer.status_code < 500, (request_line, answer.text)
            # The request may be quoted in the answer, e.g. in the text of the refusal.
            shown = {secret for secret in secrets if secret in answer.text and secret not in request_line}
            assert shown == set(), (request_line, answer.text)
    after = stored(plane)
    for table in foreign_rows.keys() - SHARED:
        changed = {
            key: after[table].get(key) for key, row in foreign_rows[table].items() if after[table].get(key) != row
        }
        assert changed == {}, table
