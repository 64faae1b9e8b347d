"""Where a host lets its data services listen."""

import pytest

from zcbus.kit.gateway_settings import GatewaySettings, parse_networks, parse_ports
from zcbus.kit.setting_source import SettingsError
from zcbus.kit.settings import load_settings


def test_addresses_and_ports() -> None:
    settings = GatewaySettings(addresses=parse_networks("10.0.0.0/8"), ports=parse_ports("8000-8099"))
    assert settings.allows("10.1.2.3", 8000)
    assert not settings.allows("10.1.2.3", 8100)
    assert not settings.allows("0.0.0.0", 8000)
    assert not settings.allows("some-name", 8000)
    assert not GatewaySettings().allows("127.0.0.1", 22)
    assert GatewaySettings().allows("0.0.0.0", 8443)


@pytest.mark.parametrize(
    ("name", "value"),
    [("PORTS", "0-10"), ("PORTS", "9-8"), ("ADDRESSES", "here"), ("PROXIES", "10.0.0.0/33"), ("CERTIFICATE", "/none")],
)
def test_wrong_values_stop_the_start(name: str, value: str) -> None:
    with pytest.raises(SettingsError):
        load_settings({f"ZCBUS_GATEWAY_{name}": value})
