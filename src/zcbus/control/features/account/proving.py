"""Whether a password is an account's: the platform's own one, or the one of the directory where there is one."""

from typing import Any, Literal

from sqlalchemy import Row

from zcbus.control.features.account import passwords
from zcbus.control.features.account.service import USER_TYPE_BUILT_IN
from zcbus.control.platform.services import Services

Proof = Literal["password", "directory"]


def prove(services: Services, user: Row[Any] | None, name: str, password: str) -> Proof | None:
    """What proves that the password is of this name's account, which may be absent (`user` None): the directory is
    asked all the same, so that the time reveals nothing. Built-in accounts have their own password only.

    Slow on purpose: never inside a transaction. Raises DirectoryUnavailableError."""
    if passwords.is_correct(password, user.password_hash if user else None):
        return "password"
    settings = services.settings
    if settings.ldap is None or (user is not None and user.user_type == USER_TYPE_BUILT_IN):
        return None
    # The library is imported only where a directory is configured.
    from zcbus.control.features.account import directory

    return "directory" if directory.confirms(settings.ldap, settings.tls.trusted, name, password) else None
