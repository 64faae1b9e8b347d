"""librdkafka's properties from the settings."""

from collections.abc import Mapping
from dataclasses import dataclass

from zcbus.kit.bus_settings import DEFAULT_PREFIX, BusSettings
from zcbus.kit.kafka import PROTOCOLS
from zcbus.kit.setting_source import SettingsError

Properties = dict[str, str | int | float | bool]

OURS = frozenset(
    {
        "bootstrap.servers",
        "metadata.broker.list",
        "acks",
        "request.required.acks",
        "enable.idempotence",
        "transactional.id",
        "group.id",
        "group.instance.id",
        "enable.auto.commit",
        "enable.auto.offset.store",
        "auto.offset.reset",
        "enable.partition.eof",
        "isolation.level",
        "check.crcs",
        "allow.auto.create.topics",
    }
)
"""Properties that correctness depends on: the same on every host."""

ANSWER_MS, TRANSFER_MS = 4_000, 8_000
"""Timeouts of answers and data."""
DELIVERY_MS = 15_000


@dataclass(frozen=True, slots=True)
class KafkaProperties:
    """Properties of each kind of client. They contain secrets: never log them."""

    servers: str
    prefix: str
    push: Properties
    client: Properties
    lookup: Properties
    """As `client`, for single reads."""
    survey: Properties
    """As `lookup`, for little of many topics."""
    admin: Properties


def kafka_properties(settings: BusSettings) -> KafkaProperties:
    """Merge properties. Raises SettingsError for a property that belongs to the platform."""
    servers, _, prefix = settings.address.removeprefix("kafka://").partition("/")
    common = _common(servers, settings)
    push = _checked("ZCBUS_BUS_PUSH_PROPERTIES", settings.push_properties)
    client = _checked("ZCBUS_BUS_CLIENT_PROPERTIES", settings.client_properties)
    lookup: Properties = {**common, **_CLIENT_DEFAULTS, **_ASK_DEFAULTS, **client, **_CLIENT_FIXED, **_LOOKUP_FIXED}
    return KafkaProperties(
        servers,
        _prefix(prefix, settings.address),
        {**common, **_PUSH_DEFAULTS, **push, **_PUSH_FIXED},
        {**common, **_CLIENT_DEFAULTS, **client, **_CLIENT_FIXED},
        lookup,
        {**lookup, **_SURVEY_FIXED},
        {**common, **_ASK_DEFAULTS, **client},
    )


def _common(servers: str, settings: BusSettings) -> Properties:
    common: Properties = {
        "bootstrap.servers": servers,
        "client.id": "zcbus",
        "security.protocol": PROTOCOLS[settings.security],
        "socket.keepalive.enable": True,
        "reconnect.backoff.ms": 50,
        "reconnect.backoff.max.ms": 400,
        # Timeout of a dead connection; the library's default is a minute.
        "socket.timeout.ms": TRANSFER_MS,
        "topic.metadata.propagation.max.ms": 5000,
        "log_level": 0,
    }
    if "sasl" in settings.security:
        common |= {
            "sasl.mechanism": settings.sasl,
            "sasl.username": settings.user,
            "sasl.password": settings.password,
        }
    if "tls" in settings.security:
        paths = {
            "ssl.ca.location": settings.ca,
            "ssl.certificate.location": settings.certificate,
            "ssl.key.location": settings.key,
        }
        common |= {name: path for name, path in paths.items() if path}
    return common


_PUSH_DEFAULTS: Properties = {
    "compression.type": "lz4",
    "linger.ms": 0,
    "message.timeout.ms": DELIVERY_MS,
    "queue.buffering.max.kbytes": 64 << 10,
}
_PUSH_FIXED: Properties = {"enable.idempotence": True, "acks": "all"}
_CLIENT_DEFAULTS: Properties = {
    "fetch.wait.max.ms": 50,
    "fetch.error.backoff.ms": 50,
    "fetch.message.max.bytes": 1 << 20,
    "queued.min.messages": 1000,
    "fetch.queue.backoff.ms": 20,
    "queued.max.messages.kbytes": 16 << 10,
}
_ASK_DEFAULTS: Properties = {"socket.timeout.ms": ANSWER_MS}
_CLIENT_FIXED: Properties = {
    # Offsets are stored in the targets; the library only requires some group name.
    "group.id": "zcbus",
    "enable.auto.commit": False,
    "enable.auto.offset.store": False,
    "auto.offset.reset": "error",
    "allow.auto.create.topics": False,
    "check.crcs": True,
}
_LOOKUP_FIXED: Properties = {"fetch.wait.max.ms": 2, "queued.min.messages": 1, "fetch.queue.backoff.ms": 1}
# For a larger message the library doubles the fetch size repeatedly.
_SURVEY_FIXED: Properties = {"fetch.message.max.bytes": 64 << 10}


def _checked(setting: str, properties: Mapping[str, str]) -> dict[str, str]:
    own = sorted(OURS & properties.keys())
    if own:
        raise SettingsError(name=setting, value=", ".join(own), expected="only properties that are not the platform's")
    return dict(properties)


def _prefix(given: str, address: str) -> str:
    prefix = given or DEFAULT_PREFIX
    if not prefix.replace("-", "").replace(".", "").isalnum() or not prefix.isascii() or len(prefix) > 50:
        raise SettingsError(
            name="ZCBUS_BUS", value=address, expected="a prefix of letters, digits, - and . behind the servers"
        )
    return prefix
