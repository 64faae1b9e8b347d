"""Access rules of routes. There is no default: `Api` refuses a route without an `Access`."""

from dataclasses import dataclass, replace
from typing import Literal

from zcbus.control.platform.errors import ForbiddenError, NotAuthenticatedError
from zcbus.control.platform.menus import is_offered
from zcbus.control.platform.principal import Operation, Principal


@dataclass(frozen=True, slots=True)
class Access:
    """The callers that a route admits."""

    kind: Literal["public", "signed-in", "own", "menu", "agent"]
    menu_key: str = ""
    operation: Operation = Operation.VIEW
    or_else: tuple[tuple[str, Operation], ...] = ()
    """Further pairs of which each is enough by itself."""

    @property
    def needs_token(self) -> bool:
        return self.kind != "public"

    @property
    def pairs(self) -> tuple[tuple[str, Operation], ...]:
        """Menu keys and operations of which one must be allowed; (): the route asks for none."""
        return ((self.menu_key, self.operation), *self.or_else) if self.menu_key else ()

    def check(self, principal: Principal, *, changes: bool = False) -> None:
        """Let the caller pass, or raise NotAuthenticatedError or ForbiddenError. `changes`: the call changes something,
        which needs a permission by name where the caller has a scope."""
        if self.kind == "public":
            return
        if principal.kind in ("anonymous", "reset"):
            raise NotAuthenticatedError
        if not (self._allows(principal) and self._is_in_scope(principal, changes)):
            raise ForbiddenError(menuKey=self.menu_key, operation=self.operation.value)

    def admit(self, principal: Principal, *, changes: bool = False) -> Principal:
        """As `check`; returns the caller with the entries that let the call in."""
        self.check(principal, changes=changes)
        if not self.pairs:
            return principal
        return replace(principal, entered_by=frozenset(pair[0] for pair in self.pairs if principal.may(*pair)))

    def _allows(self, principal: Principal) -> bool:
        if self.kind == "agent":
            return principal.kind in ("agent", "local")
        if principal.kind == "agent":
            return False
        return self.kind in ("signed-in", "own") or any(principal.may(*pair) for pair in self.pairs)

    def _is_in_scope(self, principal: Principal, changes: bool) -> bool:
        """Calls that users make about themselves are no service account's business, but for reading."""
        if principal.scope is None or self.kind not in ("signed-in", "own"):
            return True
        if changes:
            return bool(self.pairs) and any(principal.may(*pair) for pair in self.pairs)
        return principal.may_read_own

    def check_foreign(self, principal: Principal) -> None:
        """For routes declared with `own_or`: the call concerns another user. Raises ForbiddenError."""
        if not principal.may(self.menu_key, self.operation):
            raise ForbiddenError(menuKey=self.menu_key, operation=self.operation.value)


def public(reason: str) -> Access:
    """Admits every caller; `reason` says why that is right."""
    if not reason:
        raise ValueError("a public route needs a reason")
    return Access("public")


def signed_in() -> Access:
    """Admits every caller with a session or an API token, because the call concerns only the caller."""
    return Access("signed-in")


def authorise(menu_key: str, operation: Operation) -> Access:
    """A role of the caller must allow `operation` behind `menu_key`; the pair stands in `menus.MENU`."""
    if not is_offered(menu_key, operation):
        raise ValueError(f"{menu_key}/{operation} is in no page's definition: see control/platform/menus.py")
    return Access("menu", menu_key, operation)


def authorise_any(*pairs: tuple[str, Operation]) -> Access:
    """As `authorise`, for a call that several pages need: the permission for one of them is enough."""
    first, *others = (authorise(*pair) for pair in pairs)
    return replace(first, or_else=tuple((other.menu_key, other.operation) for other in others))


def own_or(menu_key: str, operation: Operation) -> Access:
    """Admits signed-in users for calls about themselves. For calls about others a role must allow `operation` behind
    `menu_key`: the endpoint calls `check_foreign` once it knows whom the call concerns."""
    allowed = authorise(menu_key, operation)
    return Access("own", allowed.menu_key, allowed.operation)


def agents_only() -> Access:
    """Only agents, and programs that hold the data folder's own token."""
    return Access("agent")
