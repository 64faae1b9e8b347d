"""Validation of users' Kafka properties, by the client library alone."""

import re
from collections.abc import Mapping
from typing import Literal

from confluent_kafka import Consumer, KafkaException, Producer

from zcbus.bus.kafka.properties import OURS

_SECRET = re.compile(r"password|secret|\.pem$|jaas|private\.key|oauthbearer\.config")
_RUNS_PROGRAMS = frozenset({"plugin.library.paths", "ssl.engine.location", "ssl.providers", "sasl.kerberos.kinit.cmd"})
"""Properties that load or run files of the host: forbidden to users."""
_FILES = frozenset(
    {
        "ssl.ca.location",
        "ssl.certificate.location",
        "ssl.key.location",
        "ssl.keystore.location",
        "ssl.crl.location",
        "https.ca.location",
        "sasl.kerberos.keytab",
    }
)
"""Files of the workers' hosts, which need not exist on this one."""


def is_secret(name: str) -> bool:
    """Whether a property's value is secret."""
    return _SECRET.search(name) is not None


def problem_with(sort: Literal["push", "client"], properties: Mapping[str, str]) -> str:
    """Why the library or the platform rejects the properties; empty: they are valid."""
    for name, value in properties.items():
        if name in OURS or name in _RUNS_PROGRAMS:
            return f"{name} is the platform's own"
        if any(letter in value for letter in ";\r\n"):
            return f"{name}: neither ; nor line breaks"
    given: dict[str, str | int | float | bool] = {
        name: value for name, value in properties.items() if name not in _FILES
    }
    try:
        if sort == "push":
            Producer({**given, "log_level": 0})
        else:
            Consumer({**given, "group.id": "check", "log_level": 0}).close()
    except KafkaException as error:
        return str(error.args[0].str()).strip()
    except (TypeError, ValueError) as error:
        return str(error)
    return ""
