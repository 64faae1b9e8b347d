"""What can go wrong with roles."""

from zcbus.control.platform.errors import BusinessError


class RoleCodeTakenError(BusinessError):
    """Facts: code."""

    code = "role-code-taken"
    field = "code"


class RoleLockedError(BusinessError):
    """Without this role nobody could mend anything any more. Facts: name."""

    code = "role-locked"


class RoleNamedError(BusinessError):
    """The named roles stay. Facts: name."""

    code = "role-named"


class RoleForeignError(BusinessError):
    """A role of the platform is changed by those who span tenants. Facts: name."""

    code = "role-foreign"


class RoleAboveError(BusinessError):
    """Nobody hands on what is not his own. Facts: name."""

    code = "role-above"


class RoleInUseError(BusinessError):
    """Facts: name, users (count)."""

    code = "role-in-use"


class PermissionUnknownError(BusinessError):
    """Facts: menuKey, operation."""

    code = "permission-unknown"
    field = "permissions"
