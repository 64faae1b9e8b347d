"""Settings of where secrets are kept."""

import re
from dataclasses import dataclass, field
from pathlib import Path

_PART = re.compile(r"[\w.-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class KeySettings:
    """The master keys of the control plane. `repr` hides them."""

    file: Path = Path("./var/keys")
    # The keys themselves, as the file has them; entries divided by lines or semicolons. Empty: the file counts.
    text: str = field(default="", repr=False)
    # `mount/key` of Vault's transit engine, which encrypts the master keys; empty: they are not encrypted.
    transit: str = ""


@dataclass(frozen=True, slots=True)
class VaultSettings:
    """A HashiCorp Vault. `repr` hides the token."""

    address: str
    token: str = field(default="", repr=False)
    # A file with the token instead, read at each use: an agent of Vault may renew it.
    token_file: str = ""
    namespace: str = ""
    # PEM file of further authorities.
    ca: str = ""


def parse_vault_path(value: str) -> str:
    """A path below `/v1/` whose parts are names, or none."""
    parts = value.split("/")
    if value and (len(parts) == 1 or any(_PART.fullmatch(part) is None or part in (".", "..") for part in parts)):
        raise ValueError(value)
    return value
