"""Where TLS is spoken, and how long certificates are good."""

from datetime import timedelta

import pytest

from zcbus.kit.certificates import RENEWED_BEFORE, SERVER_LIFETIME, is_good_for, make_authority, make_server_certificate
from zcbus.kit.clock import SystemClock
from zcbus.kit.setting_source import SettingsError
from zcbus.kit.settings import load_settings


@pytest.mark.parametrize(
    ("settings", "spoken"),
    [
        ({}, False),
        ({"HOST": "localhost"}, False),
        ({"HOST": "::1"}, False),
        ({"HOST": "0.0.0.0"}, True),
        ({"HOST": "10.0.0.5"}, True),
        ({"HOST": "bus.example"}, True),
        ({"HOST": "10.0.0.5", "TLS": "off"}, False),
        ({"TLS": "on"}, True),
    ],
)
def test_beyond_this_host_tls_is_spoken_unless_it_is_turned_off(settings: dict[str, str], spoken: bool) -> None:
    assert load_settings({f"ZCBUS_{name}": value for name, value in settings.items()}).uses_tls is spoken


def test_a_wrong_mode_stops_the_start() -> None:
    with pytest.raises(SettingsError, match="auto, on or off"):
        load_settings({"ZCBUS_TLS": "maybe"})


def test_a_certificate_is_renewed_before_it_ends_and_when_a_name_is_missing() -> None:
    now = SystemClock().now()
    authority, other = make_authority(now, "one"), make_authority(now, "two")
    held = make_server_certificate(authority, now, ["bus.example", "10.0.0.5"]).certificate
    assert is_good_for(held, authority.certificate, ["10.0.0.5"], now)
    assert not is_good_for(held, authority.certificate, ["10.0.0.6"], now)
    assert not is_good_for(held, other.certificate, ["10.0.0.5"], now)
    late = now + SERVER_LIFETIME - RENEWED_BEFORE + timedelta(days=1)
    assert not is_good_for(held, authority.certificate, ["10.0.0.5"], late)
    assert not is_good_for(b"", authority.certificate, [], now)
