"""Errors of roles."""

from zcbus.control.platform.errors import BusinessError


class RoleCodeTakenError(BusinessError):
    """Facts: code."""

    code = "role-code-taken"
    field = "code"


class RoleLockedError(BusinessError):
    """Without this role no user could administer the platform any more. Facts: name."""

    code = "role-locked"


class RoleNamedError(BusinessError):
    """The named roles stay. Facts: name."""

    code = "role-named"


class RoleForeignError(BusinessError):
    """Roles of all tenants are changed only by callers that span tenants. Facts: name."""

    code = "role-foreign"


class RoleAboveError(BusinessError):
    """Permissions beyond the caller's own cannot be granted. Facts: name."""

    code = "role-above"


class RoleInUseError(BusinessError):
    """Facts: name, users (count)."""

    code = "role-in-use"


class PermissionUnknownError(BusinessError):
    """Facts: menuKey, operation."""

    code = "permission-unknown"
    field = "permissions"
