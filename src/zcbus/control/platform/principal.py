"""The caller and its permissions."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, true

from zcbus.control.platform.menus import ENTRIES, MENU, MENU_KEYS
from zcbus.control.platform.menus import Operation as Operation

PrincipalKind = Literal["anonymous", "session", "api", "agent", "reset", "local", "scheduled"]

ANY = "*"
DEFAULT_TENANT = "default"
LOCAL_USER = "local"


@dataclass(frozen=True, slots=True)
class Principal:
    """The authenticated caller of one request."""

    kind: PrincipalKind
    user_id: str
    user_name: str
    tenant_id: str
    roles: tuple[str, ...]
    permissions: frozenset[tuple[str, str]]
    spans_tenants: bool
    session_id: str | None = None
    # When the session or API token was last used, to the minute; an API token may not have been used yet.
    used_at: datetime | None = None
    is_unused: bool = False
    # The service account that calls in the user's name, and what it may do of what the user may; None: all of it.
    service_account: str | None = None
    scope: frozenset[tuple[str, str]] | None = None
    # A user at a customer's site: views the own tenant's index page only, and changes nothing.
    client_remote: bool = False
    # Of an agent: it must show the certificate that the platform gave it.
    certified: bool = False
    # The menu keys behind which the operation of the present call is allowed; None: the call asks for none.
    entered_by: frozenset[str] | None = None

    def may(self, menu_key: str, operation: Operation) -> bool:
        """Whether a role of the caller allows the operation behind the menu key, by the rules of `menus.MenuEntry`."""
        entry = ENTRIES.get(menu_key)
        if entry is not None and entry.whole_platform and not self.spans_tenants:
            return False
        if entry is not None and entry.remote_only and not self.client_remote:
            return False
        if self.client_remote and not (entry is not None and entry.for_remote and operation is Operation.VIEW):
            return False
        return _allows(self.permissions, menu_key, operation) and self._is_in_scope(menu_key, operation)

    def covers(self, permissions: Iterable[tuple[str, str]]) -> bool:
        """Whether the caller has all of these permissions: nothing can be granted beyond one's own."""
        return all(self._holds(menu_key, operation) for menu_key, operation in permissions)

    def _holds(self, menu_key: str, operation: str) -> bool:
        if self.client_remote or not self._is_in_scope(menu_key, operation):
            return False
        if (ANY, ANY) in self.permissions or (menu_key, operation) in self.permissions:
            return True
        if menu_key == ANY or operation == ANY:
            return False
        return self.may(menu_key, Operation(operation))

    def _is_in_scope(self, menu_key: str, operation: str) -> bool:
        return self.scope is None or _allows(self.scope, menu_key, operation)

    @property
    def may_read_own(self) -> bool:
        """Whether reads that need no permission are open: a scope opens them by allowing to view everything."""
        return self._is_in_scope(ANY, Operation.VIEW)

    @property
    def menu_keys(self) -> list[str]:
        """The pages and permissions the caller may see, in the console's usual order."""
        return [key for key in MENU_KEYS if self.may(key, Operation.VIEW)]

    @property
    def is_administrator(self) -> bool:
        """Whether the caller may change anything behind an administrative entry."""
        return any(
            self.may(entry.key, operation)
            for entry in MENU
            if entry.administrative
            for operation in entry.operations
            if operation is not Operation.VIEW
        )

    def may_see_tenant(self, tenant_id: str) -> bool:
        """Whether rows of that tenant are the caller's business."""
        return self.spans_tenants or tenant_id == self.tenant_id

    def visible(self, tenant_column: ColumnElement[Any]) -> ColumnElement[bool]:
        """The condition every query over tenants' rows must carry."""
        return true() if self.spans_tenants else tenant_column == self.tenant_id


def _allows(pairs: frozenset[tuple[str, str]], menu_key: str, operation: str) -> bool:
    entry = ENTRIES.get(menu_key)
    wanted = [(ANY, ANY), (menu_key, ANY), (menu_key, operation)]
    if entry is None or not entry.administrative:
        wanted.append((ANY, operation))
    return any(pair in pairs for pair in wanted)


ANONYMOUS = Principal("anonymous", "", "", "", (), frozenset(), spans_tenants=False)


def local_principal() -> Principal:
    """The holder of the data folder's own token: a program on the same host, with every right."""
    return Principal("local", LOCAL_USER, LOCAL_USER, DEFAULT_TENANT, (), frozenset({(ANY, ANY)}), spans_tenants=True)
