"""Which tenant's data a caller works on."""

from sqlalchemy import Connection

from zcbus.control.features.account import repository
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.principal import Principal


def tenant_to_use(connection: Connection, principal: Principal, wanted: str | None) -> str:
    """The tenant asked for, else the caller's own. Raises RecordNotFoundError for one the caller may not see."""
    if wanted is None or wanted == principal.tenant_id:
        return principal.tenant_id
    if not principal.may_see_tenant(wanted) or repository.find_tenant(connection, wanted) is None:
        raise RecordNotFoundError(kind="customer", id=wanted)
    return wanted
