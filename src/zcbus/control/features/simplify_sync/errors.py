"""Errors of simplified sync."""

from zcbus.control.platform.errors import BusinessError


class SeveralDatabasesError(BusinessError):
    """The chosen source tables are of several databases."""

    code = "simplify-one-database"


class TargetSchemaError(BusinessError):
    """The chosen target is not a schema."""

    code = "simplify-target-schema"


class OtherTenantError(BusinessError):
    """A link belongs to one tenant, with both its databases."""

    code = "simplify-other-tenant"
