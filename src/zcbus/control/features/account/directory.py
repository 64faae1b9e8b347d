"""Passwords of a directory server (LDAP v3): the user's entry is looked up, and a bind as that entry proves the
password.

Nothing is sent before TLS has proved the server. Referrals are not followed: they would carry passwords elsewhere.
"""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import ldap3
from ldap3.core.exceptions import (
    LDAPBusyResult,
    LDAPException,
    LDAPOperationResult,
    LDAPSASLPrepError,
    LDAPSizeLimitExceededResult,
    LDAPUnavailableResult,
)
from ldap3.utils.conv import escape_filter_chars

from zcbus.control.features.account.errors import DirectoryUnavailableError
from zcbus.kit.logging import get_logger
from zcbus.kit.sign_in_settings import LdapSettings
from zcbus.kit.tls import client_context

_log = get_logger("control.directory")

_SECONDS = 10
# A directory that hangs must not occupy every thread that answers calls.
_slots = threading.BoundedSemaphore(8)


def confirms(settings: LdapSettings, trusted: str, name: str, password: str) -> bool:
    """Whether exactly one entry has this name, spelled so, and this is its password.

    `trusted`: a PEM file with further authorities. Blocks for half a minute at most. Raises DirectoryUnavailableError.
    """
    # Most servers take a bind without password for a success that proves nothing (RFC 4513, 5.1.2).
    if not name or not password:
        return False
    if not _slots.acquire(timeout=_SECONDS):
        raise _unavailable("too many sign-ins wait for it")
    try:
        entry = _entry_of(settings, trusted, name)
        return entry is not None and _is_password_of(settings, trusted, entry, password)
    except (LDAPException, OSError, ValueError) as error:
        raise _unavailable(repr(error)) from None
    finally:
        _slots.release()


def _entry_of(settings: LdapSettings, trusted: str, name: str) -> str | None:
    """The DN of the only entry of that name."""
    wanted = f"(&({settings.attribute}={escape_filter_chars(name)}){settings.filter})"
    with _bound(settings, trusted, settings.bind_dn, settings.bind_password) as connection:
        try:
            connection.search(settings.base, wanted, attributes=[settings.attribute], size_limit=2, time_limit=_SECONDS)
        except LDAPSizeLimitExceededResult:
            _log.warning("several entries of the directory have this name", attribute=settings.attribute)
            return None
        found = [one for one in connection.response if one["type"] == "searchResEntry" and one["dn"]]
    # Directories compare without case and blanks, accounts do not: another spelling is another account.
    return str(found[0]["dn"]) if len(found) == 1 and name in _values(found[0]) else None


def _values(entry: dict[str, Any]) -> set[str]:
    return {value.decode("utf-8", "replace") for values in entry["raw_attributes"].values() for value in values}


def _is_password_of(settings: LdapSettings, trusted: str, dn: str, password: str) -> bool:
    try:
        with _bound(settings, trusted, dn, password) as connection:
            return bool(connection.bound)
    except LDAPSASLPrepError:
        # Signs that no password has, as control characters.
        return False
    except (LDAPBusyResult, LDAPUnavailableResult):
        raise
    except LDAPOperationResult as error:
        # A wrong password, or a user who is locked there.
        _log.info("directory refused", result=error.description)
        return False


@contextmanager
def _bound(settings: LdapSettings, trusted: str, dn: str, password: str) -> Iterator[Any]:
    address = settings.address
    tls = _Checked(client_context(trusted), address.host)
    server = ldap3.Server(
        address.host, address.port, address.is_tls, get_info=ldap3.NONE, tls=tls, connect_timeout=_SECONDS
    )
    connection = ldap3.Connection(
        server,
        user=dn or None,
        password=password or None,
        authentication=ldap3.SIMPLE if dn else ldap3.ANONYMOUS,
        client_strategy=ldap3.SYNC,
        raise_exceptions=True,
        auto_referrals=False,
        auto_escape=False,
        check_names=False,
        receive_timeout=_SECONDS,
    )
    try:
        connection.open(read_server_info=False)
        if not address.is_tls:
            connection.start_tls(read_server_info=False)
        connection.bind(read_server_info=False)
        yield connection
    finally:
        # Not unbind(): it leaves the socket of a connection that failed while it was opened.
        if connection.socket is not None:
            connection.socket.close()


class _Checked(ldap3.Tls):  # type: ignore[misc]
    """TLS by a context of the standard library, which compares the certificate's names itself."""

    def __init__(self, context: ssl.SSLContext, host: str) -> None:
        super().__init__(validate=ssl.CERT_REQUIRED)
        self._context, self._host = context, host

    def wrap_socket(self, connection: Any, do_handshake: bool = True) -> None:
        connection.socket = self._context.wrap_socket(connection.socket, server_hostname=self._host)


def _unavailable(detail: str) -> DirectoryUnavailableError:
    """The error to raise, written to the log with its reason, in which the library names no password."""
    _log.warning("directory unusable", detail=detail)
    return DirectoryUnavailableError()
