"""Settings that belong together, each group read from its source. All functions raise SettingsError."""

from pathlib import Path

from zcbus.kit.audit_settings import EXPECTED_KEY, SYSLOG_ADDRESS, AuditSettings, parse_file, parse_secret, parse_syslog
from zcbus.kit.bus_settings import EMBEDDED, SASL, SECURITY, BusSettings, parse_address, parse_properties
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
from zcbus.kit.setting_source import SettingsError, SettingSource
from zcbus.kit.setting_values import choice_of, not_empty, parse_positive_integer, parse_tls_mode, switch
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

_SHOWN_LENGTH = 80


def read_openid(source: SettingSource) -> OpenIdSettings | None:
    """The OpenID Connect provider; None: none."""
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


def read_saml(source: SettingSource) -> SamlSettings | None:
    """The SAML provider; None: none."""
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


def read_ldap(source: SettingSource) -> LdapSettings | None:
    """The directory; None: none."""
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


def read_keys(source: SettingSource, data_dir: Path) -> KeySettings:
    """Where the master keys are."""
    return KeySettings(
        file=Path(source.text("keys_file", str(data_dir / "keys"))).absolute(),
        text=source.text("keys", ""),
        transit=source.parsed("keys_transit", "", parse_vault_path, "mount/key of Vault's transit engine"),
    )


def read_vault(source: SettingSource) -> VaultSettings | None:
    """The host's Vault; None: none."""
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


def read_references(source: SettingSource) -> ReferenceSettings:
    """What connections may refer to."""
    return ReferenceSettings(
        env=source.parsed("reference_env", "", parse_env_prefix, "a prefix as ZCBUS_SECRET_ or ZCBUS_SECRET_{tenant}_"),
        folder=source.parsed("reference_files", "", parse_folder, "an absolute path, which may contain {tenant}"),
        vault=source.parsed("reference_vault", "", parse_vault_prefix, "mount/path, which may contain {tenant}"),
    )


def read_bus(source: SettingSource) -> BusSettings:
    """The message bus."""
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


def read_audit(source: SettingSource) -> AuditSettings:
    """Receivers of the operation log."""
    webhook = source.parsed("audit_webhook", "", parse_provider, PROVIDER_ADDRESS) or None
    return AuditSettings(
        file=source.parsed("audit_file", "", parse_file, "an absolute path"),
        syslog=source.parsed("audit_syslog", "", parse_syslog, SYSLOG_ADDRESS),
        webhook=webhook,
        webhook_secret=source.parsed("audit_webhook_secret", "", parse_secret, EXPECTED_KEY, secret=True)
        if webhook
        else "",
    )


def read_metric_store(source: SettingSource) -> MetricStoreSettings | None:
    """The server that metrics are stored on; None: none."""
    address = source.parsed("metric_store", "", parse_server, SERVER_ADDRESS)
    write = source.parsed("metric_store_write", "/api/v1/write", parse_write, WRITE_ADDRESS)
    headers = source.parsed("metric_store_headers", "", parse_headers, HEADERS, secret=True)
    if not address:
        return None
    found = MetricStoreSettings(address, write_address(address, write), headers)
    if headers and not (is_private(found.address) and is_private(found.write)):
        raise SettingsError(name="ZCBUS_METRIC_STORE_HEADERS", value="…", expected=HEADERS)
    return found


def read_collector(source: SettingSource) -> CollectorSettings | None:
    """The collector of OpenTelemetry; None: none."""
    address = source.parsed("otlp", "", parse_server, SERVER_ADDRESS)
    headers = source.parsed("otlp_headers", "", parse_headers, HEADERS, secret=True)
    if address and headers and not is_private(address):
        raise SettingsError(name="ZCBUS_OTLP_HEADERS", value="…", expected=HEADERS)
    traces = source.parsed("otlp_traces", "0", parse_share, SHARE)
    if traces and not address:
        raise SettingsError(name="ZCBUS_OTLP_TRACES", value=str(traces), expected=SHARE)
    return CollectorSettings(address, headers, traces) if address else None


def read_network(source: SettingSource) -> NetworkRules:
    """Networks that connectors may connect to."""
    networks = "addresses and networks, divided by commas"
    standalone = source.text("deployment", "0") == "0"
    return NetworkRules(
        allow=source.parsed("network_allow", "", parse_networks, networks),
        deny=source.parsed("network_deny", "", parse_networks, networks),
        loopback=source.parsed("network_loopback", "on" if standalone else "off", switch, "on or off"),
        link_local=source.parsed("network_link_local", "off", switch, "on or off"),
    )


def read_gateway(source: SettingSource) -> GatewaySettings:
    """Data services of this host."""
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


def read_uploads(source: SettingSource, data_dir: Path) -> UploadSettings:
    """Uploaded files."""
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


def read_tls(source: SettingSource) -> TlsSettings:
    """TLS of the control plane."""
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
