"""API tokens and agent tokens."""

from datetime import timedelta

import pytest

from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ControlPlane
from zcbus.control.features.account.errors import TokenUnknownError, UserUnknownError
from zcbus.control.features.account.tokens import (
    create_api_token,
    list_api_tokens,
    revoke_api_token,
)
from zcbus.control.features.container.start import ensure_agent_token
from zcbus.control.platform.sessions import NewToken


def create(plane: ControlPlane, days: int | None = None, user: str = "admin") -> NewToken:
    lifetime = timedelta(days=days) if days else None
    with plane.services.database.write() as connection:
        return create_api_token(connection, plane.clock.now(), name="pipeline", user_name=user, lifetime=lifetime)


def test_an_api_token_acts_as_its_user(plane: ControlPlane) -> None:
    add_user(plane, "robot", tenant="south")
    token = create(plane, user="robot").token
    information = plane.get("auth/info", token).json()["data"]
    assert information["user"]["userName"] == "robot"
    assert [customer["customerid"] for customer in information["customerList"]] == ["south"]


def test_an_api_token_lives_as_long_as_it_was_given(plane: ControlPlane) -> None:
    short, lasting = create(plane, days=30).token, create(plane).token
    plane.clock.advance(timedelta(days=30))
    assert plane.get("auth/info", short).json()["code"] == 40101
    assert plane.get("auth/info", lasting).json()["code"] == 200


def test_signing_out_does_not_end_an_api_token(plane: ControlPlane) -> None:
    token = create(plane).token
    plane.post("sys/authentication/logout", {"token": token})
    assert plane.get("auth/info", token).status_code == 200


def test_a_revoked_token_is_refused_and_not_listed(plane: ControlPlane) -> None:
    created = create(plane)
    with plane.services.database.write() as connection:
        assert created.id in {record.id for record in list_api_tokens(connection)}
        revoke_api_token(connection, plane.clock.now(), created.id)
        assert created.id not in {record.id for record in list_api_tokens(connection)}
        with pytest.raises(TokenUnknownError):
            revoke_api_token(connection, plane.clock.now(), created.id)
    assert plane.get("auth/info", created.token).json()["code"] == 40102


def test_an_agent_token_opens_nothing_but_the_agents_calls(plane: ControlPlane) -> None:
    answer = plane.get("auth/info", ensure_agent_token(plane.services))
    assert (answer.status_code, answer.json()["code"]) == (403, 40103)


def test_a_token_needs_a_user(plane: ControlPlane) -> None:
    with pytest.raises(UserUnknownError):
        create(plane, user="nobody")
