"""Whether properties that somebody gave in the console can be used; nobody is asked but the client library."""

import re
from collections.abc import Mapping
from typing import Literal

from confluent_kafka import Consumer, KafkaException, Producer

from zcbus.bus.kafka.properties import OURS

_SECRET = re.compile(r"password|secret|\.pem$|jaas|private\.key|oauthbearer\.config")
_RUNS_PROGRAMS = frozenset({"plugin.library.paths", "ssl.engine.location", "ssl.providers", "sasl.kerberos.kinit.cmd"})
"""They make the library load or run files of the host: no business of somebody who is only signed in."""
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
"""Files of the workers' hosts: they need not be here."""


def is_secret(name: str) -> bool:
    """Whether a property's value must not be shown."""
    return _SECRET.search(name) is not None


def problem_with(sort: Literal["push", "client"], properties: Mapping[str, str]) -> str:
    """Why the library, or the platform, does not take the properties; empty: they can be used."""
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
