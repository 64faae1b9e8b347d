"""References to secrets that are kept elsewhere: in a variable or a file of the host, or in Vault.

A reference stands where a secret would (`${env:NAME}`, `${file:PATH}`, `${vault:MOUNT/PATH#FIELD}`) and is no secret
itself. The owner of the host says what may be referred to (`ReferenceSettings`); without a setting, nothing.
"""

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from zcbus.kit.errors import TerminalError, TransientError
from zcbus.kit.secret_settings import TENANT, parse_vault_path
from zcbus.kit.settings import Settings, load_settings
from zcbus.kit.vault import Vault, VaultRefused, VaultUnreachable

_FORM = re.compile(r"\$\{(env|file|vault):([^{}\x00-\x1f\x7f]+)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_MAX_BYTES = 1 << 16
_NAMES = {"env": "ZCBUS_REFERENCE_ENV", "file": "ZCBUS_REFERENCE_FILES", "vault": "ZCBUS_REFERENCE_VAULT"}
EXPECTED = "${env:NAME}, ${file:PATH}, ${vault:MOUNT/PATH#FIELD}"


class ReferenceRefused(TerminalError):
    """The host's owner does not allow the reference. Facts: reference, setting."""

    code = "reference-refused"


class ReferenceMissing(TerminalError):
    """There is no secret where a reference leads. Facts: reference, detail (no part of a secret)."""

    code = "reference-missing"


class ReferenceUnavailable(TransientError):
    """Where a reference leads cannot be read now. Facts: reference, detail."""

    code = "reference-unavailable"


@dataclass(frozen=True, slots=True)
class Reference:
    """Where a secret is."""

    kind: Literal["env", "file", "vault"]
    target: str

    def __str__(self) -> str:
        return f"${{{self.kind}:{self.target}}}"


@dataclass(frozen=True, slots=True)
class KeptElsewhere:
    """Stands where a secret would; `tenant`: whose connection asks."""

    reference: Reference
    tenant: str

    def read(self) -> str:
        """The secret, read now. May take seconds. Raises what `resolve` raises."""
        return resolve(self.reference, self.tenant)


def parse_reference(text: str) -> Reference | None:
    """The reference that a text is; None: it is none. Raises ValueError where its target cannot be one."""
    found = _FORM.fullmatch(text)
    if found is None:
        return None
    reference = Reference(*found.groups())  # type: ignore[arg-type]
    _check(reference)
    return reference


def is_reference(value: object) -> bool:
    """Whether a value is the text of a reference that can be."""
    try:
        return isinstance(value, str) and parse_reference(value) is not None
    except ValueError:
        return False


def resolve(reference: Reference, tenant: str) -> str:
    """The secret, read now. `tenant`: whose connection asks. Raises ReferenceRefused, ReferenceMissing,
    ReferenceUnavailable."""
    settings = load_settings()
    allowed = {
        "env": settings.references.env,
        "file": settings.references.folder,
        "vault": settings.references.vault,
    }[reference.kind]
    # A tenant's name becomes a part of a path or name.
    if not allowed or (TENANT in allowed and not re.fullmatch(r"[\w-]+", tenant, re.ASCII)):
        raise _refused(reference)
    return _READERS[reference.kind](reference, allowed.replace(TENANT, tenant), settings)


def _variable(reference: Reference, prefix: str, _: Settings) -> str:
    if not reference.target.startswith(prefix):
        raise _refused(reference)
    value = os.environ.get(reference.target)
    if value is None:
        raise ReferenceMissing(reference=str(reference), detail="not set")
    return value


def _file(reference: Reference, folder: str, _: Settings) -> str:
    below = Path(folder).resolve()
    path = (below / reference.target).resolve()
    if not path.is_relative_to(below):
        raise _refused(reference)
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            is_file = stat.S_ISREG(os.fstat(handle).st_mode)
            content = file.read(_MAX_BYTES + 1) if is_file else b""
    except (FileNotFoundError, NotADirectoryError, PermissionError) as error:
        raise ReferenceMissing(reference=str(reference), detail=error.strerror) from None
    except OSError as error:
        raise ReferenceUnavailable(reference=str(reference), detail=error.strerror or type(error).__name__) from None
    if not is_file or len(content) > _MAX_BYTES:
        raise ReferenceMissing(reference=str(reference), detail=f"no file of at most {_MAX_BYTES} bytes")
    return _text(reference, content).removesuffix("\n").removesuffix("\r")


def _text(reference: Reference, content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise ReferenceMissing(reference=str(reference), detail="not UTF-8") from None


def _vault(reference: Reference, prefix: str, settings: Settings) -> str:
    path, _, name = reference.target.rpartition("#")
    if settings.vault is None or not path.startswith(prefix.rstrip("/") + "/"):
        raise _refused(reference)
    try:
        value = Vault(settings.vault).read(path).get(name)
    except VaultUnreachable as error:
        raise ReferenceUnavailable(reference=str(reference), detail=error.facts["detail"]) from None
    except VaultRefused as error:
        raise ReferenceMissing(reference=str(reference), detail=error.facts["detail"]) from None
    if not isinstance(value, str):
        raise ReferenceMissing(reference=str(reference), detail=f"no text {name}")
    return value


_READERS = {"env": _variable, "file": _file, "vault": _vault}


def _check(reference: Reference) -> None:
    """Raises ValueError."""
    if reference.kind == "env" and _NAME.fullmatch(reference.target) is None:
        raise ValueError(reference.target)
    if reference.kind == "vault":
        path, _, name = reference.target.rpartition("#")
        if not path or not name:
            raise ValueError(reference.target)
        parse_vault_path(path)


def _refused(reference: Reference) -> ReferenceRefused:
    return ReferenceRefused(reference=str(reference), setting=_NAMES[reference.kind])
