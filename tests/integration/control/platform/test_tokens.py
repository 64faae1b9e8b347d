"""API tokens and agent tokens."""

from datetime import timedelta

import pytest

from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ControlPlane
from zcbus.control.features.account.errors import UserUnknownError
from zcbus.control.features.container.start import ensure_agent_token
from zcbus.control.features.service_account.errors import (
    ServiceAccountLifetimeError,
    ServiceAccountNameTakenError,
    TokenUnknownError,
)
from zcbus.control.features.service_account.tokens import (
    TokenRecord,
    create_api_token,
    list_api_tokens,
    revoke_api_token,
)
from zcbus.control.features.session.housekeeping import remove_expired
from zcbus.control.platform.sessions import NewToken


def create(plane: ControlPlane, days: int | None = None, user: str = "admin", name: str = "pipeline") -> NewToken:
    return create_api_token(plane.services, name=name, user_name=user, days=days)


def listed(plane: ControlPlane) -> dict[str, TokenRecord]:
    with plane.services.database.read() as connection:
        return {record.id: record for record in list_api_tokens(connection)}


def test_an_api_token_acts_as_its_user(plane: ControlPlane) -> None:
    add_user(plane, "robot", tenant="south")
    token = create(plane, user="robot").token
    information = plane.get("auth/info", token).json()["data"]
    assert information["user"]["userName"] == "robot"
    assert [customer["customerid"] for customer in information["customerList"]] == ["south"]


def test_an_api_token_ends_when_it_was_given_or_after_a_year(plane: ControlPlane) -> None:
    short, usual = create(plane, days=30, name="short").token, create(plane).token
    plane.clock.advance(timedelta(days=30))
    refused = plane.get("auth/info", short)
    assert (refused.status_code, refused.json()["code"], refused.json()["data"]["error"]) == (
        401,
        40101,
        "token-expired",
    )
    assert "short" in refused.text
    assert plane.get("auth/info", usual).json()["code"] == 200
    plane.clock.advance(timedelta(days=335))
    assert plane.get("auth/info", usual).json()["data"]["error"] == "token-expired"
    remove_expired(plane.services)
    assert plane.get("auth/info", usual).json()["data"]["error"] == "token-expired"
    plane.clock.advance(timedelta(days=91))
    remove_expired(plane.services)
    assert plane.get("auth/info", usual).json()["data"]["error"] == "not-authenticated"


def test_no_token_lives_longer_than_the_parameter_allows(plane: ControlPlane) -> None:
    for days in (0, 366):
        with pytest.raises(ServiceAccountLifetimeError):
            create(plane, days=days)
    change = {"variableName": "api_token_days", "value": 1000}
    assert plane.post("bus-sys-parameter/update", change, token=plane.sign_in()).json()["code"] == 200
    assert create(plane).expires_at == plane.clock.now() + timedelta(days=1000)


def test_names_of_tokens_differ_within_a_tenant(plane: ControlPlane) -> None:
    add_user(plane, "robot", tenant="south")
    first = create(plane)
    with pytest.raises(ServiceAccountNameTakenError):
        create(plane)
    create(plane, user="robot")
    revoke_api_token(plane.services, first.id)
    create(plane)


def test_last_use_is_listed_with_its_address_and_written_once_a_minute(plane: ControlPlane) -> None:
    created = create(plane)
    assert listed(plane)[created.id].used_at is None
    plane.clock.advance(timedelta(seconds=5))
    first = plane.clock.now()
    plane.client.get("/api/zcbus/auth/info", headers={"ZCBUS-TOKEN": created.token, "ZCBUS-UNATTENDED": "1"})
    assert (listed(plane)[created.id].used_at, listed(plane)[created.id].used_from) == (first, "127.0.0.1")
    plane.clock.advance(timedelta(seconds=59))
    plane.get("auth/info", created.token)
    assert listed(plane)[created.id].used_at == first
    plane.clock.advance(timedelta(seconds=1))
    plane.get("auth/info", created.token)
    assert listed(plane)[created.id].used_at == plane.clock.now()


def test_the_operation_log_keeps_the_making_and_revoking_of_tokens(plane: ControlPlane) -> None:
    revoke_api_token(plane.services, create(plane).id)
    records = plane.post("monitor/operation-log/page", {}, token=plane.sign_in()).json()["data"]["records"]
    recorded = [(one["action"], one["subject"], one["result"]) for one in records if one["subject"] == "pipeline"]
    assert recorded == [
        ("service-account_revoke", "pipeline", "done"),
        ("service-account_add", "pipeline", "done"),
    ]


def test_signing_out_does_not_end_an_api_token(plane: ControlPlane) -> None:
    token = create(plane).token
    plane.post("sys/authentication/logout", {"token": token})
    assert plane.get("auth/info", token).status_code == 200


def test_a_revoked_token_is_refused_and_not_listed(plane: ControlPlane) -> None:
    created = create(plane)
    assert created.id in listed(plane)
    revoke_api_token(plane.services, created.id)
    assert created.id not in listed(plane)
    with pytest.raises(TokenUnknownError):
        revoke_api_token(plane.services, created.id)
    refused = plane.get("auth/info", created.token).json()
    assert (refused["code"], refused["data"]["error"]) == (40102, "token-revoked")


def test_an_agent_token_opens_nothing_but_the_agents_calls(plane: ControlPlane) -> None:
    answer = plane.get("auth/info", ensure_agent_token(plane.services))
    assert (answer.status_code, answer.json()["code"]) == (403, 40103)


def test_a_token_needs_a_user(plane: ControlPlane) -> None:
    with pytest.raises(UserUnknownError):
        create(plane, user="nobody")
