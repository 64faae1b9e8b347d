"""Settings: the environment wins over the file, and a wrong value is one clear sentence."""

from pathlib import Path

import pytest

from zcbus.kit.settings import SettingsError, load_settings


def test_defaults() -> None:
    settings = load_settings({})
    assert (settings.host, settings.port, settings.bus, settings.product) == ("127.0.0.1", 8080, "embedded:", "zcbus")
    assert settings.database_url == f"sqlite:///{settings.data_dir}/zcbus.db"
    assert settings.login_captcha
    assert not settings.demo


def test_environment_wins_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "zcbus.toml"
    file.write_text('port = 9000\nhost = "0.0.0.0"\n')
    settings = load_settings({"ZCBUS_CONFIG": str(file), "ZCBUS_PORT": "9001"})
    assert (settings.host, settings.port) == ("0.0.0.0", 9001)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ZCBUS_PORT", "eighty"),
        ("ZCBUS_PORT", "70000"),
        ("ZCBUS_DATABASE_URL", "mysql://x"),
        ("ZCBUS_BUS", "nats:"),
        ("ZCBUS_DEPLOYMENT", "3"),
        ("ZCBUS_LOGIN_CAPTCHA", "maybe"),
        ("ZCBUS_PRODUCT", "a/b"),
        ("ZCBUS_CONFIG", "/nowhere/zcbus.toml"),
    ],
)
def test_a_wrong_value_is_named_with_what_is_expected(name: str, value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings({name: value})
    assert name in str(caught.value)
    assert value in str(caught.value)
    assert "expected" in str(caught.value)
