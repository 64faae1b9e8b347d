"""Rules and hashes of passwords."""

import os
import re
import secrets
import string
import threading

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from zcbus.control.features.account.errors import PasswordLengthError, PasswordTooSimpleError

SHORTEST = 8

_ALLOWED = re.compile(r"[A-Za-z0-9!@#$%^&*,._]+")
_NEEDED = (re.compile("[a-z]"), re.compile("[A-Z]"), re.compile("[0-9]"))
_GENERATED_LENGTH = 14

# 19 MiB, two passes: the parameters OWASP names for argon2id.
_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
# Each verification occupies that much memory and a processor.
_slots = threading.BoundedSemaphore(max(2, os.cpu_count() or 2))

UNUSABLE = _hasher.hash(secrets.token_urlsafe(32))
"""The hash of a random password: for accounts without sign-in, and to verify against for unknown users, so that both
cases take equally long."""


def check_rules(password: str, longest: int) -> None:
    """Raise PasswordLengthError or PasswordTooSimpleError when a new password breaks the rules of the specification;
    `longest` is the setting of that name."""
    if not SHORTEST <= len(password) <= longest:
        raise PasswordLengthError(shortest=SHORTEST, longest=longest)
    if not _ALLOWED.fullmatch(password) or not all(needed.search(password) for needed in _NEEDED):
        raise PasswordTooSimpleError


def hash_password(password: str) -> str:
    """Slow on purpose (tens of milliseconds): never call it inside a writing transaction."""
    with _slots:
        return _hasher.hash(password)


def is_correct(password: str, password_hash: str | None) -> bool:
    """Whether the password matches the hash; `None` takes as long and never matches. Slow on purpose."""
    try:
        with _slots:
            return _hasher.verify(password_hash or UNUSABLE, password) and password_hash is not None
    except (VerificationError, InvalidHashError):
        return False


def generate() -> str:
    """A random password that fulfils the rules, without look-alike characters."""
    alphabet = "".join(sorted(set(string.ascii_letters + string.digits) - set("0O1lI")))
    while True:
        password = "".join(secrets.choice(alphabet) for _ in range(_GENERATED_LENGTH))
        if all(needed.search(password) for needed in _NEEDED):
            return password
