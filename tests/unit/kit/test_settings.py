"""Settings: the environment wins over the file, and a wrong value is one clear sentence."""

from pathlib import Path

import pytest
from tests.support.saml_responses import ISSUER
from tests.support.saml_responses import metadata as provider_metadata

from zcbus.kit.bus_settings import BusSettings
from zcbus.kit.setting_source import SettingsError
from zcbus.kit.settings import load_settings


def test_defaults() -> None:
    settings = load_settings({})
    assert (settings.host, settings.port, settings.bus, settings.product) == (
        "127.0.0.1",
        8080,
        BusSettings(),
        "zcbus",
    )
    assert settings.database_url == f"sqlite:///{settings.data_dir}/zcbus.db"
    assert settings.login_captcha
    assert not settings.demo
    assert settings.worker_memory_mb == 512


def test_environment_wins_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "zcbus.toml"
    file.write_text('port = 9000\nhost = "0.0.0.0"\n')
    settings = load_settings({"ZCBUS_CONFIG": str(file), "ZCBUS_PORT": "9001"})
    assert (settings.host, settings.port) == ("0.0.0.0", 9001)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ZCBUS_PORT", "eighty"),
        ("ZCBUS_AUDIT_FILE", "audit.jsonl"),
        ("ZCBUS_AUDIT_SYSLOG", "tls://host"),
        ("ZCBUS_AUDIT_SYSLOG", "http://host:514"),
        ("ZCBUS_AUDIT_WEBHOOK", "http://siem.example/"),
        ("ZCBUS_PORT", "70000"),
        ("ZCBUS_DATABASE_URL", "mysql://x"),
        ("ZCBUS_BUS", "nats:"),
        ("ZCBUS_BUS", "kafka://host"),
        ("ZCBUS_BUS", "kafka://host:9092,other"),
        ("ZCBUS_BUS_SECURITY", "some"),
        ("ZCBUS_BUS_CA", "/nowhere/ca.pem"),
        ("ZCBUS_DEPLOYMENT", "3"),
        ("ZCBUS_WORKER_MEMORY_MB", "64"),
        ("ZCBUS_BATCH_MB", "0"),
        ("ZCBUS_BATCH_RECORDS", "many"),
        ("ZCBUS_LOGIN_CAPTCHA", "maybe"),
        ("ZCBUS_PRODUCT", "a/b"),
        ("ZCBUS_OIDC_ISSUER", "http://id.example"),
        ("ZCBUS_OIDC_ISSUER", "id.example"),
        ("ZCBUS_LDAP_URL", "ldap.example"),
        ("ZCBUS_LDAP_URL", "http://ldap.example"),
        ("ZCBUS_LDAP_URL", "ldaps://olga@ldap.example"),
        ("ZCBUS_LDAP_URL", "ldaps://ldap.example/dc=example"),
        ("ZCBUS_CAS_URL", "http://cas.example"),
        ("ZCBUS_CONFIG", "/nowhere/zcbus.toml"),
    ],
)
def test_a_wrong_value_is_named_with_what_is_expected(name: str, value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings({name: value})
    assert name in str(caught.value)
    assert value in str(caught.value)
    assert "expected" in str(caught.value)


def test_workers_get_the_bus_as_it_was_set(tmp_path: Path) -> None:
    ca = tmp_path / "ca.pem"
    ca.write_text("x")
    given = {
        "ZCBUS_BUS": "kafka://one:9092,[::1]:9093/team",
        "ZCBUS_BUS_SECURITY": "sasl+tls",
        "ZCBUS_BUS_SASL": "SCRAM-SHA-256",
        "ZCBUS_BUS_USER": "me",
        "ZCBUS_BUS_PASSWORD": "a=b;c",
        "ZCBUS_BUS_CA": str(ca),
        "ZCBUS_BUS_PUSH_PROPERTIES": "linger.ms=5; compression.type=zstd",
        "ZCBUS_BUS_CLIENT_PROPERTIES": "# a note\nfetch.min.bytes=2\n",
    }
    bus = load_settings(given).bus
    assert bus.push_properties == {"linger.ms": "5", "compression.type": "zstd"}
    assert bus.client_properties == {"fetch.min.bytes": "2"}
    assert load_settings(bus.environment()).bus == bus
    assert "a=b" not in repr(bus)


def test_wrong_properties_are_not_repeated_in_the_error() -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings({"ZCBUS_BUS_CLIENT_PROPERTIES": "hidden-text"})
    assert "hidden-text" not in str(caught.value)


DIRECTORY = {"ZCBUS_LDAP_URL": "ldap://ldap.example", "ZCBUS_LDAP_BASE": "dc=example"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ZCBUS_LDAP_BASE", ""),
        ("ZCBUS_LDAP_ATTRIBUTE", "uid=*)(x"),
        ("ZCBUS_LDAP_FILTER", "uid=x"),
        ("ZCBUS_LDAP_FILTER", "(uid=x)(uid=y)"),
        ("ZCBUS_LDAP_BIND_PASSWORD", "without-a-name"),
    ],
)
def test_a_directory_needs_a_base_a_filter_and_a_whole_account(name: str, value: str) -> None:
    ldap = load_settings(DIRECTORY).ldap
    assert ldap is not None
    assert (ldap.address.port, ldap.address.is_tls, ldap.attribute) == (389, False, "uid")
    with pytest.raises(SettingsError, match=name) as raised:
        load_settings({**DIRECTORY, name: value})
    assert "without-a-name" not in str(raised.value)


def test_the_directorys_password_is_not_shown_with_the_settings() -> None:
    account = {"ZCBUS_LDAP_BIND_DN": "cn=reader", "ZCBUS_LDAP_BIND_PASSWORD": "reads-names-only"}
    assert "reads-names-only" not in repr(load_settings({**DIRECTORY, **account}).ldap)


def test_a_provider_needs_a_client() -> None:
    with pytest.raises(SettingsError, match="ZCBUS_OIDC_CLIENT_ID"):
        load_settings({"ZCBUS_OIDC_ISSUER": "https://id.example"})
    assert load_settings({}).openid is None
    openid = load_settings({"ZCBUS_OIDC_ISSUER": "https://id.example/", "ZCBUS_OIDC_CLIENT_ID": "zcbus"}).openid
    assert openid is not None
    assert (openid.issuer, openid.user_claim) == ("https://id.example/", "preferred_username")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PUBLIC_ADDRESS", "bus.example"),
        ("PUBLIC_ADDRESS", "https://bus.example/zcbus"),
        ("PUBLIC_ADDRESS", "https://user@bus.example"),
        ("OTHER_HOSTS", "*.example"),
        ("OTHER_HOSTS", "bus.example:8080"),
    ],
)
def test_addresses_of_the_platform_are_exact(name: str, value: str) -> None:
    with pytest.raises(SettingsError):
        load_settings({f"ZCBUS_{name}": value})


def test_saml_takes_metadata_by_content_or_file(tmp_path: Path) -> None:
    assert load_settings({"ZCBUS_SAML_NAME": "House ID"}).saml is None
    content = provider_metadata()
    (tmp_path / "idp.xml").write_text(content)
    named = {"ZCBUS_SAML_NAME": "House ID", "ZCBUS_SAML_USER_ATTRIBUTE": "uid", "ZCBUS_SAML_ENTITY_ID": "urn:zcbus"}
    for given in (content, str(tmp_path / "idp.xml")):
        saml = load_settings({"ZCBUS_SAML_METADATA": given, **named}).saml
        assert saml is not None
        assert (saml.provider.entity_id, saml.name) == (ISSUER, "House ID")
        assert (saml.user_attribute, saml.entity_id) == ("uid", "urn:zcbus")
    defaults = load_settings({"ZCBUS_SAML_METADATA": content}).saml
    assert defaults is not None
    assert (defaults.name, defaults.user_attribute, defaults.entity_id) == ("SAML", "", "")


@pytest.mark.parametrize("value", ["<a/>", "absent.xml", provider_metadata().replace('use="signing"', 'use="none"')])
def test_saml_metadata_that_do_not_serve_are_named_and_not_repeated_whole(value: str) -> None:
    with pytest.raises(SettingsError, match="ZCBUS_SAML_METADATA") as raised:
        load_settings({"ZCBUS_SAML_METADATA": value})
    assert len(str(raised.value)) < 500
