"""Settings from the environment and an optional TOML file; the environment wins.

The names are fixed in the contract (`ZCBUS_*`). The TOML file has the same names in lower case without the prefix. A
wrong value stops the start with one clear sentence: `SettingsError`.
"""

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

from zcbus.kit.audit_settings import (
    EXPECTED_KEY,
    SYSLOG_ADDRESS,
    AuditSettings,
    parse_file,
    parse_secret,
    parse_syslog,
)
from zcbus.kit.bus_settings import EMBEDDED, SASL, SECURITY, BusSettings, parse_address, parse_properties
from zcbus.kit.errors import TerminalError
from zcbus.kit.gateway_settings import MIN_PORT, GatewaySettings, parse_networks, parse_ports, readable_file
from zcbus.kit.network import NetworkRules
from zcbus.kit.secret_settings import (
    KeySettings,
    ReferenceSettings,
    VaultSettings,
    parse_env_prefix,
    parse_folder,
    parse_vault_path,
    parse_vault_prefix,
)
from zcbus.kit.setting_values import (
    PUBLIC_ADDRESS,
    SOCKET_ADDRESS,
    choice_of,
    not_empty,
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
    parse_tls_mode,
    switch,
)
from zcbus.kit.sign_in_settings import (
    LDAP_ADDRESS,
    PROVIDER_ADDRESS,
    SAML_METADATA,
    LdapSettings,
    OpenIdSettings,
    SamlSettings,
    parse_attribute,
    parse_filter,
    parse_ldap,
    parse_provider,
    parse_saml_metadata,
)
from zcbus.kit.telemetry_settings import (
    HEADERS,
    SERVER_ADDRESS,
    SHARE,
    WRITE_ADDRESS,
    CollectorSettings,
    MetricStoreSettings,
    is_private,
    parse_headers,
    parse_server,
    parse_share,
    parse_write,
    write_address,
)
from zcbus.kit.tls import TlsSettings
from zcbus.kit.upload_settings import (
    EXPECTED_STORE,
    ObjectStoreSettings,
    UploadSettings,
    parse_command,
    parse_endpoint,
    parse_store,
)

T = TypeVar("T")

_SHOWN = ("off", "local", "open")
_SHOWN_LENGTH = 80


class SettingsError(TerminalError):
    """A setting has a value that cannot be used. Facts: name, value, expected."""

    code = "setting-invalid"

    def _describe(self) -> str:
        return "{name} is {value!r}; expected {expected}".format(**self.facts)


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
    source = _Source(
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
    return _read(_Source(os.environ if environment is None else environment))


def _read(source: "_Source") -> Settings:
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
        bus=_bus(source),
        admin_password=source.text("admin_password", "") or None,
        deployment=source.parsed("deployment", "0", one_of("0", "1", "2"), "0, 1 or 2"),
        product=source.parsed("product", "zcbus", parse_path_name, "letters, digits, - or _"),
        login_captcha=source.parsed("login_captcha", "on", switch, "on or off"),
        demo=source.parsed("demo", "0", switch, "1 or 0"),
        worker_memory_mb=source.parsed("worker_memory_mb", "512", parse_megabytes, "a number of MB from 128 on"),
        batch_mb=source.parsed("batch_mb", "32", parse_positive_integer, "a whole number from 1 on"),
        batch_records=source.parsed("batch_records", "5000", parse_positive_integer, "a whole number from 1 on"),
        registration_key=source.parsed("registration_key", "", parse_key, "32 bytes in base64") or None,
        openid=_openid(source),
        cas_url=source.parsed("cas_url", "", parse_provider, PROVIDER_ADDRESS).rstrip("/") or None,
        login_free=source.text("login_free", "").strip() or None,
        session_idle=source.parsed(
            "session_idle_minutes", "0", parse_idle_time, "minutes from 1 to 1440, or 0 for none"
        ),
        password_longest=source.parsed("password_longest", "16", parse_password_length, "a number from 16 to 128"),
        metrics=source.parsed("metrics", "local", choice_of(_SHOWN), " or ".join(_SHOWN)),
        openapi=source.parsed("openapi", "local", choice_of(_SHOWN), " or ".join(_SHOWN)),
        files_dir=Path(source.text("files_dir", str(data_dir / "files"))).absolute(),
        drivers_dir=Path(source.text("drivers_dir", str(data_dir / "drivers"))).absolute(),
        driver_keys=source.parsed("driver_keys", "", _folder, "a folder with PEM files of public keys"),
        network=_network(source),
        gateway=_gateway(source),
        public_address=source.parsed("public_address", "", parse_public_address, PUBLIC_ADDRESS) or None,
        other_hosts=source.parsed("other_hosts", "", parse_host_names, "host names without ports, divided by commas"),
        service_url=_beside_public(source, "service_url", parse_public_address, PUBLIC_ADDRESS),
        websocket_url=_beside_public(source, "websocket_url", parse_socket_address, SOCKET_ADDRESS),
        tls=_tls(source),
        audit=_audit(source),
        ldap=_ldap(source),
        saml=_saml(source),
        keys=_keys(source, data_dir),
        vault=_vault(source),
        uploads=_uploads(source, data_dir),
        references=_references(source),
        metric_store=_metric_store(source),
        collector=_collector(source),
    )


def _beside_public(source: "_Source", name: str, parse: Callable[[str], str], expected: str) -> str | None:
    address = source.parsed(name, "", parse, expected) or None
    # Pages of any other address must not read the answers.
    if address is not None and not source.text("public_address", ""):
        raise SettingsError(
            name="ZCBUS_PUBLIC_ADDRESS", value="", expected=f"the console's address, which ZCBUS_{name.upper()} needs"
        )
    return address


class _Source:
    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._file = _read_file(environment.get("ZCBUS_CONFIG"))
        self.read: dict[str, tuple[str, str]] = {}
        """Name → default and accepted values of each setting read so far."""

    def text(self, name: str, default: str) -> str:
        self.read.setdefault(name, (default, ""))
        value = self._environment.get(f"ZCBUS_{name.upper()}")
        return value if value is not None else str(self._file.get(name, default))

    def parsed(self, name: str, default: str, parse: Callable[[str], T], expected: str, secret: bool = False) -> T:
        self.read[name] = (default, expected)
        value = self.text(name, default)
        try:
            return parse(value)
        except ValueError:
            shown = "…" if secret else value
            raise SettingsError(name=f"ZCBUS_{name.upper()}", value=shown, expected=expected) from None


def _openid(source: _Source) -> OpenIdSettings | None:
    issuer = source.parsed("oidc_issuer", "", parse_provider, PROVIDER_ADDRESS)
    if not issuer:
        return None
    return OpenIdSettings(
        issuer=issuer,
        client_id=source.parsed("oidc_client_id", "", not_empty, "the client's id, as ZCBUS_OIDC_ISSUER is set"),
        client_secret=source.text("oidc_client_secret", "") or None,
        name=source.text("oidc_name", "OpenID Connect"),
        user_claim=source.text("oidc_user_claim", "preferred_username"),
    )


def _saml(source: _Source) -> SamlSettings | None:
    metadata, name = source.text("saml_metadata", ""), source.text("saml_name", "SAML")
    user_attribute, entity_id = source.text("saml_user_attribute", ""), source.text("saml_entity_id", "")
    source.read["saml_metadata"] = ("", SAML_METADATA)
    try:
        provider = parse_saml_metadata(metadata)
    except ValueError as error:
        # Metadata are long; the name of a file is not.
        shown, expected = metadata[:_SHOWN_LENGTH], f"{SAML_METADATA} ({error})"
        raise SettingsError(name="ZCBUS_SAML_METADATA", value=shown, expected=expected) from None
    return SamlSettings(provider, name, user_attribute, entity_id) if provider else None


def _keys(source: _Source, data_dir: Path) -> KeySettings:
    return KeySettings(
        file=Path(source.text("keys_file", str(data_dir / "keys"))).absolute(),
        text=source.text("keys", ""),
        transit=source.parsed("keys_transit", "", parse_vault_path, "mount/key of Vault's transit engine"),
    )


def _vault(source: _Source) -> VaultSettings | None:
    address = source.parsed("vault_address", "", parse_provider, PROVIDER_ADDRESS).rstrip("/")
    if not address:
        return None
    return VaultSettings(
        address=address,
        token=source.text("vault_token", ""),
        token_file=source.parsed("vault_token_file", "", readable_file, "a readable file"),
        namespace=source.text("vault_namespace", ""),
        ca=source.parsed("vault_ca", "", readable_file, "a readable PEM file"),
    )


def _references(source: _Source) -> ReferenceSettings:
    return ReferenceSettings(
        env=source.parsed("reference_env", "", parse_env_prefix, "a prefix as ZCBUS_SECRET_ or ZCBUS_SECRET_{tenant}_"),
        folder=source.parsed("reference_files", "", parse_folder, "an absolute path, which may contain {tenant}"),
        vault=source.parsed("reference_vault", "", parse_vault_prefix, "mount/path, which may contain {tenant}"),
    )


def _ldap(source: _Source) -> LdapSettings | None:
    address = source.parsed("ldap_url", "", parse_ldap, LDAP_ADDRESS)
    if address is None:
        return None
    bind_dn, bind_password = source.text("ldap_bind_dn", ""), source.text("ldap_bind_password", "")
    # A name without a password would be anonymous for the server, and a success.
    if bool(bind_dn) != bool(bind_password):
        raise SettingsError(name="ZCBUS_LDAP_BIND_PASSWORD", value="…", expected="set together with ZCBUS_LDAP_BIND_DN")
    return LdapSettings(
        address=address,
        bind_dn=bind_dn,
        bind_password=bind_password,
        base=source.parsed("ldap_base", "", not_empty, "the entry above all users, as ZCBUS_LDAP_URL is set"),
        attribute=source.parsed("ldap_attribute", "uid", parse_attribute, "an attribute, as uid or sAMAccountName"),
        filter=source.parsed("ldap_filter", "(objectClass=*)", parse_filter, "a filter in brackets"),
        name=source.text("ldap_name", "LDAP"),
    )


def _read_file(path: str | None) -> dict[str, object]:
    if not path:
        return {}
    try:
        return tomllib.loads(Path(path).read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(name="ZCBUS_CONFIG", value=path, expected=f"a readable TOML file ({error})") from error


def _bus(source: "_Source") -> BusSettings:
    pairs = "name=value, one a line or divided by ;"
    return BusSettings(
        address=source.parsed("bus", EMBEDDED, parse_address, "embedded: or kafka://host:port,…[/prefix]"),
        security=source.parsed("bus_security", SECURITY[0], choice_of(SECURITY), " or ".join(SECURITY)),
        sasl=source.parsed("bus_sasl", "SCRAM-SHA-512", choice_of(SASL), " or ".join(SASL)),
        user=source.text("bus_user", ""),
        password=source.text("bus_password", ""),
        ca=source.parsed("bus_ca", "", readable_file, "a readable file"),
        certificate=source.parsed("bus_certificate", "", readable_file, "a readable file"),
        key=source.parsed("bus_key", "", readable_file, "a readable file"),
        push_properties=source.parsed("bus_push_properties", "", parse_properties, pairs, secret=True),
        client_properties=source.parsed("bus_client_properties", "", parse_properties, pairs, secret=True),
    )


def _audit(source: "_Source") -> AuditSettings:
    webhook = source.parsed("audit_webhook", "", parse_provider, PROVIDER_ADDRESS) or None
    return AuditSettings(
        file=source.parsed("audit_file", "", parse_file, "an absolute path"),
        syslog=source.parsed("audit_syslog", "", parse_syslog, SYSLOG_ADDRESS),
        webhook=webhook,
        webhook_secret=source.parsed("audit_webhook_secret", "", parse_secret, EXPECTED_KEY, secret=True)
        if webhook
        else "",
    )


def _metric_store(source: "_Source") -> MetricStoreSettings | None:
    address = source.parsed("metric_store", "", parse_server, SERVER_ADDRESS)
    write = source.parsed("metric_store_write", "/api/v1/write", parse_write, WRITE_ADDRESS)
    headers = source.parsed("metric_store_headers", "", parse_headers, HEADERS, secret=True)
    if not address:
        return None
    found = MetricStoreSettings(address, write_address(address, write), headers)
    if headers and not (is_private(found.address) and is_private(found.write)):
        raise SettingsError(name="ZCBUS_METRIC_STORE_HEADERS", value="…", expected=HEADERS)
    return found


def _collector(source: "_Source") -> CollectorSettings | None:
    address = source.parsed("otlp", "", parse_server, SERVER_ADDRESS)
    headers = source.parsed("otlp_headers", "", parse_headers, HEADERS, secret=True)
    if address and headers and not is_private(address):
        raise SettingsError(name="ZCBUS_OTLP_HEADERS", value="…", expected=HEADERS)
    traces = source.parsed("otlp_traces", "0", parse_share, SHARE)
    if traces and not address:
        raise SettingsError(name="ZCBUS_OTLP_TRACES", value=str(traces), expected=SHARE)
    return CollectorSettings(address, headers, traces) if address else None


def _network(source: "_Source") -> NetworkRules:
    networks = "addresses and networks, divided by commas"
    standalone = source.text("deployment", "0") == "0"
    return NetworkRules(
        allow=source.parsed("network_allow", "", parse_networks, networks),
        deny=source.parsed("network_deny", "", parse_networks, networks),
        loopback=source.parsed("network_loopback", "on" if standalone else "off", switch, "on or off"),
        link_local=source.parsed("network_link_local", "off", switch, "on or off"),
    )


def _gateway(source: "_Source") -> GatewaySettings:
    networks = "addresses and networks, divided by commas"
    certificate = source.parsed("gateway_certificate", "", readable_file, "a readable PEM file")
    key = source.parsed("gateway_key", "", readable_file, "a readable PEM file")
    if bool(certificate) != bool(key):
        raise SettingsError(name="ZCBUS_GATEWAY_KEY", value=key, expected="set together with ZCBUS_GATEWAY_CERTIFICATE")
    return GatewaySettings(
        proxies=source.parsed("gateway_proxies", "", parse_networks, networks),
        certificate=certificate,
        key=key,
        addresses=source.parsed("gateway_addresses", "", parse_networks, networks),
        ports=source.parsed("gateway_ports", f"{MIN_PORT}-65535", parse_ports, "a port, or a range as 8000-8099"),
    )


def distributed_drivers(data_dir: Path) -> Path:
    """The folder with the drivers that the agent of this host fetched from its control plane."""
    return data_dir / "agent" / "drivers"


def _folder(value: str) -> Path | None:
    return Path(value).absolute() if value else None


def _uploads(source: "_Source", data_dir: Path) -> UploadSettings:
    bucket, folder = source.parsed("upload_store", "", parse_store, EXPECTED_STORE)
    store = ObjectStoreSettings(
        bucket=bucket,
        folder=folder,
        endpoint=source.parsed("upload_store_endpoint", "", parse_endpoint, "scheme, name and port"),
        region=source.text("upload_store_region", "us-east-1"),
        key=source.text("upload_store_key", ""),
        secret=source.text("upload_store_secret", ""),
    )
    if bucket and not (store.key and store.secret):
        expected = "set together with ZCBUS_UPLOAD_STORE and ZCBUS_UPLOAD_STORE_KEY"
        raise SettingsError(name="ZCBUS_UPLOAD_STORE_SECRET", value="…", expected=expected)
    command = "an absolute path of a program, and its arguments"
    return UploadSettings(
        folder=Path(source.text("uploads_dir", str(data_dir / "uploads"))).absolute(),
        file_mb=source.parsed("upload_mb", "256", parse_positive_integer, "a whole number from 1 on"),
        tenant_mb=source.parsed("upload_tenant_mb", "2048", parse_positive_integer, "a whole number from 1 on"),
        scanner=source.parsed("upload_scanner", "", parse_command, command),
        store=store if bucket else None,
    )


def _tls(source: "_Source") -> TlsSettings:
    certificate = source.parsed("tls_certificate", "", readable_file, "a readable PEM file")
    key = source.parsed("tls_key", "", readable_file, "a readable PEM file")
    if bool(certificate) != bool(key):
        raise SettingsError(name="ZCBUS_TLS_KEY", value=key, expected="set together with ZCBUS_TLS_CERTIFICATE")
    return TlsSettings(
        mode=source.parsed("tls", "auto", parse_tls_mode, "auto, on or off"),
        certificate=certificate,
        key=key,
        trusted=source.parsed("tls_trusted", "", readable_file, "a readable PEM file"),
    )
