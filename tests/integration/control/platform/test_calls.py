"""Every call: its callers, its answers on failure, its records in the operation log."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import sqlalchemy as sa
from fastapi.routing import APIRoute
from starlette.routing import WebSocketRoute
from structlog.testing import capture_logs

from tests.integration.control.platform.access_table import ACCESS
from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ADMIN_PASSWORD, ControlPlane, control_plane
from zcbus.control.app import create_app
from zcbus.control.bootstrap import build_services
from zcbus.control.platform.call import Rules
from zcbus.control.platform.menus import ENTRIES, MENU
from zcbus.control.platform.routing import GuardedRoute
from zcbus.control.platform.sessions import find_principal
from zcbus.control.store.tables.audit import audit_record
from zcbus.control.store.tables.identity import user
from zcbus.kit.settings import load_settings

# Calls that end the session they are made with.
ENDING = {"POST sys/authentication/logout"}
OUTSIDE_THE_API = {
    "/",
    "/ca.pem",
    "/druid/figures.json",
    "/druid/index.html",
    "/druid/index.js",
    "/healthz",
    "/metrics",
    "/openapi.json",
    "/readyz",
    "/swagger-ui.html",
    "/zcbus",
    "/zcbus/{path:path}",
}


@dataclass(frozen=True)
class Route:
    method: str
    path: str
    rules: Rules | None

    @property
    def name(self) -> str:
        """As the access table calls it."""
        return f"{self.method} {self.path.removeprefix('/api/zcbus/')}"

    @property
    def declared(self) -> str:
        """Who may call it, in the words of the access table."""
        if self.rules is None:
            return "outside"
        access = self.rules.access
        if not access.menu_key:
            return access.kind
        pairs = " or ".join(f"{menu_key} {operation}" for menu_key, operation in access.pairs)
        return pairs + (" of others" if access.kind == "own" else "")


@pytest.fixture(scope="module")
def routes(tmp_path_factory: pytest.TempPathFactory) -> list[Route]:
    """Every route of the application as composed."""
    services = build_services(load_settings({"ZCBUS_DATA_DIR": str(tmp_path_factory.mktemp("routes"))}))
    found = [
        Route(method, route.path, rules_of(route))
        for route in all_routes(create_app(services).router)
        if not isinstance(route, WebSocketRoute)
        for method in sorted((route.methods or {"GET"}) - {"HEAD"})
    ]
    services.close()
    return found


def rules_of(route: APIRoute) -> Rules | None:
    return route.endpoint.rules if isinstance(route, GuardedRoute) else None  # type: ignore[attr-defined]


def all_routes(router: object) -> Iterator[APIRoute]:
    for route in getattr(router, "routes", []):
        if hasattr(route, "path") and hasattr(route, "endpoint"):
            yield route
        else:
            yield from all_routes(getattr(route, "original_router", None) or getattr(route, "app", None))


def test_every_call_is_open_to_whom_the_table_says(routes: list[Route]) -> None:
    assert {route.path for route in routes if route.rules is None} == OUTSIDE_THE_API
    assert {route.name: route.declared for route in routes if route.rules} == ACCESS


def test_every_socket_takes_a_ticket(tmp_path: Path) -> None:
    services = build_services(load_settings({"ZCBUS_DATA_DIR": str(tmp_path)}))
    opened = [route for route in all_routes(create_app(services).router) if isinstance(route, WebSocketRoute)]
    services.close()
    assert {route.path for route in opened} == {"/ws/ssh/{target}", "/ws/docker/{target}", "/api/websocket"}
    assert all(route.endpoint.ticketed for route in opened)


@pytest.mark.wide
def test_every_other_route_refuses_strangers(routes: list[Route], tmp_path: Path) -> None:
    guarded = [route for route in routes if route.rules and route.rules.access.needs_token]
    with control_plane(tmp_path) as plane:
        for route in guarded:
            for headers in ({}, {"ZCBUS-TOKEN": "made-up"}):
                answer = plane.client.request(route.method, route.path, json={}, headers=headers)
                assert answer.status_code == 401, f"{route.path} with {headers}"
                assert answer.json().keys() == {"code", "message", "data"}


@pytest.mark.wide
def test_every_guarded_route_refuses_a_token_meant_for_a_password_change(routes: list[Route], tmp_path: Path) -> None:
    with control_plane(tmp_path, admin_password="") as plane:
        password = (plane.data_dir / "initial-password").read_text().strip()
        answer = plane.post("sys/authentication/login", {"userName": "admin", "password": password}).json()
        for route in routes:
            if route.rules and route.rules.access.needs_token:
                refused = plane.client.request(
                    route.method, route.path, json={}, headers={"ZCBUS-TOKEN": answer["data"]["token"]}
                )
                assert refused.status_code == 401, route.path


# Permissions of each named role, written down independently: the roles are checked against it. Administrative entries
# are for roles that may do everything, those of the whole platform also for roles that span tenants.
ROLES = {
    "super-admin": {"view", "create", "edit", "delete", "operate"},
    "administrator": {"view", "create", "edit", "delete", "operate"},
    "engineer": {"view", "create", "edit", "operate"},
    "maintainer": {"view", "operate"},
    "ordinary": {"view"},
}
ADMINISTRATIVE = {"super-admin", "administrator"}
SPANNING = {"super-admin"}


# The user who only views the own tenant's index page, whatever the role.
REMOTE = {"home", "resource/article", "Resource.Article", "Toolset.disclaimers", "disclaimers"}


def is_allowed(role: str, wanted: str, *, remote: bool) -> bool:
    """Whether a caller may make a call of which the access table says `wanted`."""
    if wanted in ("public", "signed-in", "agent"):
        return wanted != "agent"
    if " or " in wanted:
        return any(is_allowed(role, one, remote=remote) for one in wanted.split(" or "))
    menu_key, operation = wanted.removesuffix(" of others").split()
    if remote and not (menu_key in REMOTE and operation == "view"):
        return False
    entry = ENTRIES[menu_key]
    return operation in ROLES[role] and (
        (role in ADMINISTRATIVE or not entry.administrative) and (role in SPANNING or not entry.whole_platform)
    )


@pytest.fixture(scope="module")
def shared_plane(prepared_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """One for all tests of a user's own calls."""
    folder = tmp_path_factory.mktemp("shared")
    shutil.copytree(prepared_sqlite, folder, dirs_exist_ok=True)
    with control_plane(folder, f"sqlite:///{folder}/store.db") as running:
        yield running


@pytest.mark.soak(but=["*-south", "super-admin-default"])
@pytest.mark.parametrize("tenant", ["default", "south"])
@pytest.mark.parametrize("role", [*ROLES, "remote"])
def test_every_call_admits_exactly_whom_the_table_names(role: str, tenant: str, shared_plane: ControlPlane) -> None:
    headers = {"ZCBUS-TOKEN": somebody(shared_plane, role, tenant)}
    other = new_user(shared_plane, f"other-{role}-{tenant}", "ordinary", tenant)
    for name, wanted in ACCESS.items():
        if name in ENDING:
            continue
        method, path = name.split()
        whom = {"userId": other} if wanted.endswith(" of others") else {}
        address = path if path.startswith("/") else f"/api/zcbus/{path}"
        answer = shared_plane.client.request(method, address, json=whom, params=whom, headers=headers)
        outcome = (answer.status_code, answer.json()["code"])
        if is_allowed("super-admin" if role == "remote" else role, wanted, remote=role == "remote"):
            assert outcome[0] not in (401, 403, 500), (name, answer.text)
        else:
            assert outcome == (403, 40103), name


def somebody(plane: ControlPlane, role: str, tenant: str) -> str:
    """The token of a user with a role in a tenant; `remote` has the highest role, at a customer's site."""
    name = f"{role}-{tenant}"
    new_user(plane, name, "super-admin" if role == "remote" else role, tenant, client_remote=role == "remote")
    token = plane.sign_in(name)
    with plane.services.database.read() as connection:
        principal = find_principal(plane.services, connection, token)
    assert (principal.tenant_id, principal.spans_tenants) == (tenant, role in SPANNING)
    return token


def new_user(plane: ControlPlane, name: str, role: str, tenant: str, *, client_remote: bool = False) -> str:
    """The id of a new user."""
    add_user(plane, name, role, tenant)
    with plane.services.database.write() as connection:
        connection.execute(sa.update(user).where(user.c.user_name == name).values(client_remote=client_remote))
        found: str = connection.execute(sa.select(user.c.id).where(user.c.user_name == name)).scalar_one()
    return found


def test_the_table_offers_exactly_what_calls_ask_for(routes: list[Route]) -> None:
    """Real or absent: a role cannot get an operation that no call needs. Viewing is needed by the console's page."""
    asked = {pair for route in routes if route.rules for pair in route.rules.access.pairs}
    offered = {(entry.key, operation) for entry in MENU for operation in entry.operations}
    assert asked <= offered
    # One call adds users and changes them; it asks for leave to add where it adds.
    assert {pair for pair in offered - asked if pair[1] != "view"} == {
        ("authority-management/user-management", "create")
    }


def test_both_spellings_lead_to_the_same_handler(tmp_path: Path) -> None:
    with control_plane(tmp_path, product="acme") as plane:
        token = plane.sign_in()
        for product in ("acme", "zcbus"):
            answer = plane.client.get(f"/api/{product}/auth/info", headers={"ZCBUS-TOKEN": token})
            assert answer.json()["code"] == 200
        assert plane.client.get("/api/other/auth/info").status_code == 404


def test_http_errors_are_envelopes_in_the_callers_language(plane: ControlPlane) -> None:
    nowhere = plane.get("no/such/path", language="zh")
    assert (nowhere.status_code, nowhere.json()["code"], nowhere.json()["message"]) == (404, 404, "请求的地址不存在")
    wrong_method = plane.get("sys/authentication/login")
    assert (wrong_method.status_code, wrong_method.json()["code"]) == (405, 405)
    malformed = plane.post("sys/authentication/login", {"userName": 7})
    assert malformed.status_code == 422
    assert [fault["field"] for fault in malformed.json()["data"]["fields"]] == ["userName", "password"]
    assert "userName" in malformed.json()["message"]
    not_json = plane.client.post("/api/zcbus/sys/authentication/login", content=b"{")
    assert not_json.status_code == 422


def test_a_malformed_request_does_not_show_the_secret_it_carried(plane: ControlPlane) -> None:
    answer = plane.post("sys/authentication/login", {"userName": "", "password": "hunter2-secret"})
    assert answer.status_code == 422
    assert "hunter2-secret" not in answer.text


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        (r"a\u0000", "nul-character"),
        (r"\\\u0000", "nul-character"),
        (r"\\u0000", ""),
        (r"u0000", ""),
        (r"a\ud800", "text-broken"),
        (r"\\\ude00", "text-broken"),
        (r"\ud83d\ude00", ""),
        (r"\\ud800", ""),
    ],
)
def test_text_that_cannot_be_stored_is_refused_and_similar_text_is_not(
    plane: ControlPlane, text: str, refused: str
) -> None:
    content = '{"password": "x", "userName": "' + text + '"}'
    answer = plane.client.post(
        "/api/zcbus/sys/authentication/login", content=content, headers={"Content-Type": "application/json"}
    )
    assert (answer.status_code, answer.json()["data"]["error"]) == (
        (422, refused) if refused else (200, "credentials-wrong")
    )


def test_large_bodies_are_refused(plane: ControlPlane) -> None:
    large = b'"' + b"x" * (8 * 1024 * 1024) + b'"'
    outcome = plane.client.post("/api/zcbus/sys/authentication/login", content=large)
    assert (outcome.status_code, outcome.json()["code"]) == (413, 413)
    untold = plane.client.post("/api/zcbus/sys/authentication/login", content=iter([large]))
    assert (untold.status_code, untold.json()["code"]) == (413, 413)


def test_answers_carry_an_id_and_are_not_cached(plane: ControlPlane) -> None:
    answer = plane.get("common/project/type")
    assert len(answer.headers["X-Request-Id"]) == 26
    assert answer.headers["Cache-Control"] == "no-store"
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
    assert "server" not in answer.headers


def test_an_unexpected_error_reveals_no_details(plane: ControlPlane, monkeypatch: pytest.MonkeyPatch) -> None:
    token = plane.sign_in()

    def fail(*_: object) -> None:
        raise RuntimeError("inner details")

    monkeypatch.setattr("zcbus.control.features.parameter.service.list_all", fail)
    answer = plane.get("bus-sys-parameter/list", token)
    assert (answer.status_code, answer.json()["code"]) == (500, 500)
    assert "inner" not in answer.text
    assert answer.headers["X-Request-Id"]


def test_addresses_are_not_taken_from_a_header_of_the_client(plane: ControlPlane) -> None:
    for number in range(6):
        answer = plane.client.post(
            "/api/zcbus/sys/authentication/login",
            json={"userName": "admin", "password": "wrong"},
            headers={"X-Forwarded-For": f"10.0.0.{number}"},
        )
    assert answer.status_code == 429
    assert {record.address for record in records(plane)} == {"127.0.0.1"}


def test_behind_a_named_proxy_addresses_are_the_clients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "127.0.0.1")
    with control_plane(tmp_path) as plane:
        plane.client.post(
            "/api/zcbus/sys/authentication/login",
            json={"userName": "admin", "password": ADMIN_PASSWORD},
            headers={"X-Forwarded-For": "10.0.0.7", "X-Forwarded-Proto": "https"},
        )
        assert [record.address for record in records(plane)] == ["10.0.0.7"]


def records(plane: ControlPlane) -> list[sa.Row[tuple[object, ...]]]:
    with plane.services.database.read() as connection:
        return list(connection.execute(audit_record.select().order_by(audit_record.c.id)).all())


def test_the_operation_log_records_caller_action_and_result(plane: ControlPlane) -> None:
    plane.post("sys/authentication/login", {"userName": "admin", "password": "wrong-Secret"})
    token = plane.sign_in()
    plane.get("auth/info", token)
    failed, done = records(plane)
    assert (failed.action, failed.user_name, failed.result) == ("session_login", "admin", "failed")
    assert (failed.error_code, failed.address) == ("credentials-wrong", "127.0.0.1")
    assert (done.result, done.tenant_id, done.error_code) == ("done", "default", None)
    assert (failed.after, done.after) == ({"userName": "admin"}, {"userName": "admin", "proof": "password"})
    for record in (failed, done):
        text = repr(tuple(record))
        assert ADMIN_PASSWORD not in text
        assert "wrong-Secret" not in text
        assert token not in text


def test_a_done_call_answers_success_even_if_the_operation_log_cannot_be_written(plane: ControlPlane) -> None:
    with audit_records_elsewhere(plane), capture_logs() as lines:
        token = plane.sign_in()
    assert plane.get("auth/info", token).json()["code"] == 200
    [outcome] = [line for line in lines if line["event"] == "call not recorded"]
    assert (outcome["action"], outcome["user"]) == ("session_login", "admin")


@contextmanager
def audit_records_elsewhere(plane: ControlPlane) -> Iterator[None]:
    with plane.services.database.write() as connection:
        connection.execute(sa.text("ALTER TABLE audit_record RENAME TO elsewhere"))
    try:
        yield
    finally:
        with plane.services.database.write() as connection:
            connection.execute(sa.text("ALTER TABLE elsewhere RENAME TO audit_record"))


def test_a_client_cannot_forge_records_of_the_operation_log(plane: ControlPlane) -> None:
    token = plane.sign_in()
    forged = {"title": "forged", "businessType": "forged", "operation": "%7B%22after%22%3A%22forged%22%7D"}
    headers = {"ZCBUS-TOKEN": token, "source": "forged", **forged}
    plane.client.post("/api/zcbus/sys/authentication/logout", json={"token": token}, headers=headers)
    record = records(plane)[-1]
    assert (record.action, record.user_name, record.tenant_id) == ("session_logout", "admin", "default")
    assert "forged" not in repr(tuple(record))


def test_the_local_token_belongs_to_the_data_folder(plane: ControlPlane) -> None:
    path = plane.data_dir / "local-token"
    assert path.stat().st_mode & 0o777 == 0o600
    assert plane.get("auth/info", plane.local_token()).json()["data"]["user"]["userName"] == "local"


def test_system_parameters(plane: ControlPlane) -> None:
    token = plane.sign_in()
    found = plane.get("bus-sys-parameter/getByVariableName?variableName=sys_config", token).json()["data"]
    assert found["value"]["isDeleteCode"] is False
    assert "sys_config" in [item["name"] for item in plane.get("bus-sys-parameter/list", token).json()["data"]]
    unknown = plane.get("bus-sys-parameter/getByVariableName?variableName=x", token).json()
    assert (unknown["code"], unknown["message"]) == (300, "System parameter x not found")


def test_health_readiness_and_metrics(plane: ControlPlane) -> None:
    assert plane.client.get("/healthz").json() == {"status": "ok"}
    assert plane.client.get("/readyz").json() == {"status": "ready"}
    text = plane.client.get("/metrics").text
    assert 'zcbus_http_requests_total{method="GET",route="/readyz",status="200"} 1.0' in text


def test_not_ready_while_the_store_is_at_another_version(plane: ControlPlane) -> None:
    with plane.services.database.write() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = 'other'"))
    assert plane.client.get("/readyz").status_code == 503


@pytest.mark.parametrize("strange", ["a\u0000b", "\ud800", "x" * 200])
def test_text_that_no_store_takes_is_a_malformed_request_or_a_plain_answer(plane: ControlPlane, strange: str) -> None:
    for path, body in (
        ("sys/authentication/login", {"userName": strange, "password": strange}),
        ("sys/authentication/logout", {"token": strange}),
    ):
        content = json.dumps(body)
        answer = plane.client.post(f"/api/zcbus/{path}", content=content, headers={"Content-Type": "application/json"})
        assert answer.status_code in (200, 422), (path, answer.text)
    token = plane.local_token()
    answer = plane.client.get(
        "/api/zcbus/bus-sys-parameter/getByVariableName",
        params={"variableName": strange.encode(errors="replace").decode()},
        headers={"ZCBUS-TOKEN": token},
    )
    assert answer.status_code in (200, 422)
