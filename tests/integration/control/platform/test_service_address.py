"""Consoles of the public address whose calls and sockets go to an address of their own."""

from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from tests.support.control_plane import control_plane
from tests.support.live_feed import opened
from zcbus.kit.setting_source import SettingsError
from zcbus.kit.settings import load_settings

CONSOLE = "https://bus.example"
SERVICE, SOCKETS = "https://api.example:8443", "wss://ws.example"
SYSTEM = "/api/zcbus/bus-sys-parameter/getByVariableName?variableName=sys_config"


def test_pages_of_the_public_address_alone_call_the_service_address(tmp_path: Path) -> None:
    settings = {"public_address": CONSOLE, "service_url": SERVICE, "websocket_url": SOCKETS}
    with control_plane(tmp_path, **settings) as plane:
        token = plane.sign_in()

        def addresses(host: str) -> list[str]:
            value = plane.client.get(SYSTEM, headers={"Host": host, "ZCBUS-TOKEN": token}).json()["data"]["value"]
            return [value["serviceUrl"], value["websocketUrl"]]

        assert addresses("bus.example") == addresses("api.example:8443") == [SERVICE, SOCKETS]
        # A browser would refuse the calls of a console that was opened under another name.
        assert addresses("127.0.0.1") == ["", ""]

        asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "zcbus-token,source"}
        allowed = plane.client.options(SYSTEM, headers={**asked, "Origin": CONSOLE})
        assert allowed.headers["access-control-allow-origin"] == CONSOLE
        assert "zcbus-token" in allowed.headers["access-control-allow-headers"]
        assert "access-control-allow-credentials" not in allowed.headers
        foreign = plane.client.options(SYSTEM, headers={**asked, "Origin": "https://elsewhere.example"})
        assert "access-control-allow-origin" not in foreign.headers
        page = plane.client.get("/zcbus/login", headers={"Host": "bus.example"})
        assert f"connect-src 'self' {SERVICE} ws: wss:;" in page.headers["content-security-policy"]

        with opened(plane, **plane.post("live/open", token=token).json()["data"], origin=CONSOLE):
            pass
        ticket = plane.post("live/open", token=token).json()["data"]
        with pytest.raises(InvalidStatus), opened(plane, **ticket, origin="https://elsewhere.example"):
            pass


def test_without_an_own_address_no_other_origin_may_call(tmp_path: Path) -> None:
    with control_plane(tmp_path) as plane:
        headers = {"Origin": CONSOLE, "Access-Control-Request-Method": "POST"}
        assert "access-control-allow-origin" not in plane.client.options(SYSTEM, headers=headers).headers


@pytest.mark.parametrize(
    "settings",
    [
        {"ZCBUS_SERVICE_URL": SERVICE},
        {"ZCBUS_PUBLIC_ADDRESS": CONSOLE, "ZCBUS_SERVICE_URL": f"{SERVICE}/path"},
        {"ZCBUS_PUBLIC_ADDRESS": CONSOLE, "ZCBUS_WEBSOCKET_URL": SERVICE},
    ],
)
def test_addresses_that_cannot_be_used_are_refused_at_the_start(settings: dict[str, str]) -> None:
    with pytest.raises(SettingsError):
        load_settings(settings)
