"""Settings of where secrets are kept."""

import re
from dataclasses import dataclass, field
from pathlib import Path

_PREFIX = re.compile(r"ZCBUS_SECRET_\w*", re.ASCII)
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


TENANT = "{tenant}"
"""Stands for the tenant of a connection."""


@dataclass(frozen=True, slots=True)
class ReferenceSettings:
    """What connections of this host may refer to instead of a secret (`kit.secret_references`); empty: nothing. Each
    may contain TENANT; without it a secret may be used by each tenant that this host works for."""

    # Prefix of the names of variables.
    env: str = ""
    # Folder of the files.
    folder: str = ""
    # Path in Vault above the secrets, from the mount on.
    vault: str = ""


def parse_env_prefix(value: str) -> str:
    """A prefix for secrets alone: ZCBUS_SECRET_ and what follows, or none."""
    if value and _PREFIX.fullmatch(value.replace(TENANT, "")) is None:
        raise ValueError(value)
    return value


def parse_folder(value: str) -> str:
    """An absolute path, or none."""
    if value and not Path(value).is_absolute():
        raise ValueError(value)
    return value


def parse_vault_prefix(value: str) -> str:
    """As `parse_vault_path`, with TENANT."""
    parse_vault_path(value.replace(TENANT, "tenant").rstrip("/"))
    return value


def parse_vault_path(value: str) -> str:
    """A path below `/v1/` whose parts are names, or none."""
    parts = value.split("/")
    if value and (len(parts) == 1 or any(_PART.fullmatch(part) is None or part in (".", "..") for part in parts)):
        raise ValueError(value)
    return value
