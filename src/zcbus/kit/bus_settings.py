"""Settings of the bus. The agent passes them on to its workers."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

EMBEDDED = "embedded:"
DEFAULT_PREFIX = "zcbus"
SECURITY = ("plaintext", "tls", "sasl", "sasl+tls")
SASL = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")


@dataclass(frozen=True, slots=True)
class BusSettings:
    """`ZCBUS_BUS` and its options. `repr` hides possible secrets."""

    address: str = EMBEDDED
    """`embedded:` or `kafka://host:port,host:port[/prefix]`."""
    security: str = SECURITY[0]
    sasl: str = "SCRAM-SHA-512"
    user: str = ""
    password: str = field(default="", repr=False)
    ca: str = ""
    """Paths of PEM files: trusted authorities (empty: the system's), own certificate and its key."""
    certificate: str = ""
    key: str = ""
    push_properties: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Further properties of producers, in librdkafka's names."""
    client_properties: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Further properties of consumers and of administration."""

    def with_properties(self, push: Mapping[str, str], client: Mapping[str, str]) -> "BusSettings":
        """A copy with further properties, which override its own."""
        return replace(
            self,
            push_properties={**self.push_properties, **push},
            client_properties={**self.client_properties, **client},
        )

    @property
    def shared_name(self) -> str:
        """A name that all hosts on the same bus share; '' if only this host has it.

        It is independent of the order of the servers.
        """
        if self.address == EMBEDDED:
            return ""
        servers, _, prefix = self.address.removeprefix("kafka://").partition("/")
        return f"kafka://{','.join(sorted(servers.split(',')))}/{prefix or DEFAULT_PREFIX}"

    def environment(self) -> dict[str, str]:
        """The settings as environment variables."""
        return {
            "ZCBUS_BUS": self.address,
            "ZCBUS_BUS_SECURITY": self.security,
            "ZCBUS_BUS_SASL": self.sasl,
            "ZCBUS_BUS_USER": self.user,
            "ZCBUS_BUS_PASSWORD": self.password,
            "ZCBUS_BUS_CA": self.ca,
            "ZCBUS_BUS_CERTIFICATE": self.certificate,
            "ZCBUS_BUS_KEY": self.key,
            "ZCBUS_BUS_PUSH_PROPERTIES": _properties_text(self.push_properties),
            "ZCBUS_BUS_CLIENT_PROPERTIES": _properties_text(self.client_properties),
        }


def parse_address(value: str) -> str:
    """Check the address of a bus. Raises ValueError."""
    servers = value.removeprefix("kafka://").partition("/")[0].split(",")
    if value != EMBEDDED and not (value.startswith("kafka://") and all(map(_is_server, servers))):
        raise ValueError(value)
    return value


def parse_properties(value: str) -> dict[str, str]:
    """`name=value` pairs, one a line or divided by `;`. Raises ValueError."""
    pairs = [part.strip() for line in value.splitlines() for part in line.split(";")]
    found: dict[str, str] = {}
    for pair in pairs:
        if pair and not pair.startswith("#"):
            name, equals, text = pair.partition("=")
            if not equals or not name.strip():
                raise ValueError(pair)
            found[name.strip()] = text.strip()
    return found


def _properties_text(properties: Mapping[str, str]) -> str:
    return "\n".join(f"{name}={value}" for name, value in properties.items())


def _is_server(value: str) -> bool:
    host, colon, port = value.rpartition(":")
    return bool(host and colon) and port.isdecimal() and 0 < int(port) <= 65535
