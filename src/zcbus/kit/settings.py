"""Settings from the environment and an optional TOML file; the environment wins.

The names are fixed in the contract (`ZCBUS_*`). The TOML file has the same names in lower case without the prefix. A
wrong value stops the start with one clear sentence: `SettingsError`.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from zcbus.kit.audit_settings import AuditSettings
from zcbus.kit.bus_settings import BusSettings
from zcbus.kit.gateway_settings import GatewaySettings
from zcbus.kit.network import NetworkRules
from zcbus.kit.secret_settings import KeySettings, ReferenceSettings, VaultSettings
from zcbus.kit.setting_groups import (
    read_audit,
    read_bus,
    read_collector,
    read_gateway,
    read_keys,
    read_ldap,
    read_metric_store,
    read_network,
    read_openid,
    read_references,
    read_saml,
    read_tls,
    read_uploads,
    read_vault,
)
from zcbus.kit.setting_source import SettingsError, SettingSource
from zcbus.kit.setting_values import (
    PUBLIC_ADDRESS,
    SOCKET_ADDRESS,
    choice_of,
    one_of,
    parse_database_url,
    parse_host_names,
    parse_idle_time,
    parse_key,
    parse_megabytes,
    parse_password_length,
    parse_path_name,
    parse_port,
    parse_positive_integer,
    parse_public_address,
    parse_socket_address,
    parse_token,
    switch,
)
from zcbus.kit.sign_in_settings import PROVIDER_ADDRESS, LdapSettings, OpenIdSettings, SamlSettings, parse_provider
from zcbus.kit.telemetry_settings import CollectorSettings, MetricStoreSettings
from zcbus.kit.tls import TlsSettings
from zcbus.kit.upload_settings import UploadSettings

_SHOWN = ("off", "local", "open")


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a process of the platform. Paths are absolute."""

    data_dir: Path
    host: str
    port: int
    database_url: str
    bus: BusSettings
    admin_password: str | None
    deployment: int
    product: str
    login_captcha: bool
    demo: bool
    # Memory limit of a worker.
    worker_memory_mb: int
    # Most that a worker reads from the bus, and applies in one transaction.
    batch_mb: int
    batch_records: int
    # Base64 of the Ed25519 key that verifies registration codes.
    registration_key: str | None
    openid: OpenIdSettings | None
    # The address of a CAS server whose service tickets are accepted, without a slash at its end.
    cas_url: str | None
    # The account of callers that are not signed in; None: sign-in is required.
    login_free: str | None
    # Idle time after which a session ends; None: only its own end counts.
    session_idle: timedelta | None = None
    # Shortest and longest password, in characters.
    password_longest: int = 16
    # Access to /metrics and to /openapi.json with its page: none, programs on this host, or all.
    metrics: str = "local"
    openapi: str = "local"
    # What programs of any host present for /metrics, unless none has access; empty: nothing.
    metrics_token: str = field(default="", repr=False)
    # The folder that connectors of this host may read and write.
    files_dir: Path = Path("./var/files")
    # The folder with drivers that the owner of this host lets connectors run.
    drivers_dir: Path = Path("./var/drivers")
    # The folder of public keys of which one must have signed each distributed driver; None: none is needed.
    driver_keys: Path | None = None
    # Networks that connectors of this host may connect to.
    network: NetworkRules = field(default_factory=NetworkRules)
    # Settings of this host for data services.
    gateway: GatewaySettings = field(default_factory=GatewaySettings)
    # Public address of the control plane, `https://bus.example`; None: the host of each request.
    public_address: str | None = None
    # Further host names of the control plane; they need a public address.
    other_hosts: tuple[str, ...] = ()
    # Where the console of the public address sends its calls and opens its sockets; None: the address it came from.
    service_url: str | None = None
    websocket_url: str | None = None
    # TLS of the control plane, and the authorities that its clients on this host trust.
    tls: TlsSettings = field(default_factory=TlsSettings)
    # Receivers of the operation log.
    audit: AuditSettings = field(default_factory=AuditSettings)
    # The directory whose passwords open accounts.
    ldap: LdapSettings | None = None
    saml: SamlSettings | None = None
    # Where the master keys are.
    keys: KeySettings = field(default_factory=KeySettings)
    # The HashiCorp Vault of this host's owner.
    vault: VaultSettings | None = None
    # Where files that users upload are kept.
    uploads: UploadSettings = field(default_factory=UploadSettings)
    # The server that metrics are stored on; None: they are stored with the metadata.
    metric_store: MetricStoreSettings | None = None
    # The collector of OpenTelemetry that gets metrics and traces.
    collector: CollectorSettings | None = None
    # What connections of this host may refer to instead of a secret.
    references: ReferenceSettings = field(default_factory=ReferenceSettings)

    @property
    def uses_tls(self) -> bool:
        """Whether the control plane uses TLS."""
        return self.tls.is_used_on(self.host)


@dataclass(frozen=True, slots=True)
class SettingDescription:
    """One setting: its name in the environment, its default, and its accepted values."""

    name: str
    default: str
    expected: str


def described_settings() -> tuple[SettingDescription, ...]:
    """Every setting that `load_settings` reads, for documentation."""
    # Some settings are read only if there is a provider, a directory or a webhook.
    source = SettingSource(
        {
            "ZCBUS_OIDC_ISSUER": "https://idp.example.com",
            "ZCBUS_OIDC_CLIENT_ID": "zcbus",
            "ZCBUS_LDAP_URL": "ldaps://ldap.example.com",
            "ZCBUS_LDAP_BASE": "dc=example,dc=com",
            "ZCBUS_AUDIT_WEBHOOK": "https://log.example.com",
            "ZCBUS_AUDIT_WEBHOOK_SECRET": "0123456789abcdef",
            "ZCBUS_VAULT_ADDRESS": "https://vault.example.com",
        }
    )
    data_dir = str(_read(source).data_dir)
    return tuple(
        SettingDescription(f"ZCBUS_{name.upper()}", default.replace(data_dir, "<data>"), expected)
        for name, (default, expected) in source.read.items()
    )


def load_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """Read settings; `ZCBUS_CONFIG` names the TOML file. Raises SettingsError."""
    return _read(SettingSource(os.environ if environment is None else environment))


def _read(source: SettingSource) -> Settings:
    data_dir = Path(source.text("data_dir", "./var")).absolute()
    return Settings(
        data_dir=data_dir,
        host=source.text("host", "127.0.0.1"),
        port=source.parsed("port", "8080", parse_port, "a port from 0 to 65535"),
        database_url=source.parsed(
            "database_url",
            f"sqlite:///{data_dir}/zcbus.db",
            parse_database_url,
            "sqlite:///… or postgresql+psycopg://…",
        ),
        bus=read_bus(source),
        admin_password=source.text("admin_password", "") or None,
        deployment=source.parsed("deployment", "0", one_of("0", "1", "2"), "0, 1 or 2"),
        product=source.parsed("product", "zcbus", parse_path_name, "letters, digits, - or _"),
        login_captcha=source.parsed("login_captcha", "on", switch, "on or off"),
        demo=source.parsed("demo", "0", switch, "1 or 0"),
        worker_memory_mb=source.parsed("worker_memory_mb", "512", parse_megabytes, "a number of MB from 128 on"),
        batch_mb=source.parsed("batch_mb", "32", parse_positive_integer, "a whole number from 1 on"),
        batch_records=source.parsed("batch_records", "5000", parse_positive_integer, "a whole number from 1 on"),
        registration_key=source.parsed("registration_key", "", parse_key, "32 bytes in base64") or None,
        openid=read_openid(source),
        cas_url=source.parsed("cas_url", "", parse_provider, PROVIDER_ADDRESS).rstrip("/") or None,
        login_free=source.text("login_free", "").strip() or None,
        session_idle=source.parsed(
            "session_idle_minutes", "0", parse_idle_time, "minutes from 1 to 1440, or 0 for none"
        ),
        password_longest=source.parsed("password_longest", "16", parse_password_length, "a number from 16 to 128"),
        metrics=source.parsed("metrics", "local", choice_of(_SHOWN), " or ".join(_SHOWN)),
        metrics_token=source.parsed(
            "metrics_token", "", parse_token, "16 characters or more without blanks", secret=True
        ),
        openapi=source.parsed("openapi", "local", choice_of(_SHOWN), " or ".join(_SHOWN)),
        files_dir=Path(source.text("files_dir", str(data_dir / "files"))).absolute(),
        drivers_dir=Path(source.text("drivers_dir", str(data_dir / "drivers"))).absolute(),
        driver_keys=source.parsed("driver_keys", "", _folder, "a folder with PEM files of public keys"),
        network=read_network(source),
        gateway=read_gateway(source),
        public_address=source.parsed("public_address", "", parse_public_address, PUBLIC_ADDRESS) or None,
        other_hosts=source.parsed("other_hosts", "", parse_host_names, "host names without ports, divided by commas"),
        service_url=_beside_public(source, "service_url", parse_public_address, PUBLIC_ADDRESS),
        websocket_url=_beside_public(source, "websocket_url", parse_socket_address, SOCKET_ADDRESS),
        tls=read_tls(source),
        audit=read_audit(source),
        ldap=read_ldap(source),
        saml=read_saml(source),
        keys=read_keys(source, data_dir),
        vault=read_vault(source),
        uploads=read_uploads(source, data_dir),
        references=read_references(source),
        metric_store=read_metric_store(source),
        collector=read_collector(source),
    )


def _beside_public(source: SettingSource, name: str, parse: Callable[[str], str], expected: str) -> str | None:
    address = source.parsed(name, "", parse, expected) or None
    # Pages of any other address must not read the answers.
    if address is not None and not source.text("public_address", ""):
        raise SettingsError(
            name="ZCBUS_PUBLIC_ADDRESS", value="", expected=f"the console's address, which ZCBUS_{name.upper()} needs"
        )
    return address


def distributed_drivers(data_dir: Path) -> Path:
    """The folder with the drivers that the agent of this host fetched from its control plane."""
    return data_dir / "agent" / "drivers"


def _folder(value: str) -> Path | None:
    return Path(value).absolute() if value else None
