"""Errors of departments."""

from zcbus.control.platform.errors import BusinessError


class DepartmentNameTakenError(BusinessError):
    """Beneath one parent names differ. Facts: name."""

    code = "department-name-taken"
    field = "name"


class DepartmentInItselfError(BusinessError):
    """A department cannot be its own ancestor. Facts: name."""

    code = "department-in-itself"
    field = "parentId"


class DepartmentInUseError(BusinessError):
    """Facts: name, departments, users (counts)."""

    code = "department-in-use"
