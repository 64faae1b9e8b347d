"""Errors of users."""

from zcbus.control.platform.errors import BusinessError


class UserNameEmptyError(BusinessError):
    code = "user-name-empty"
    field = "userName"


class DocumentTypeMissingError(BusinessError):
    code = "document-type-missing"
    field = "documentType"


class RoleMissingError(BusinessError):
    code = "role-missing"
    field = "roleCode"


class IdNumberMissingError(BusinessError):
    code = "id-number-missing"
    field = "idNumber"


class IdNumberLengthError(BusinessError):
    code = "id-number-length"
    field = "idNumber"


class IdNumberInvalidError(BusinessError):
    code = "id-number-invalid"
    field = "idNumber"


class PhoneInvalidError(BusinessError):
    code = "phone-invalid"
    field = "phone"


class EmailInvalidError(BusinessError):
    code = "email-invalid"
    field = "email"


class NewUserCancelledError(BusinessError):
    """Only an account that is there can be cancelled."""

    code = "new-user-cancelled"
    field = "status"


class UserBuiltInError(BusinessError):
    """Name, role and status of a built-in account are locked. Facts: name."""

    code = "user-built-in"


class UserSelfError(BusinessError):
    """The own name, role, status, department and tenant cannot be changed. Facts: name."""

    code = "user-self"


class OwnSecondFactorError(BusinessError):
    """The own second factor is turned off with password and code, in the user menu."""

    code = "own-second-factor"


class UserAboveError(BusinessError):
    """An account with more rights than the caller's cannot be changed. Facts: name."""

    code = "user-above"


class RoleNotUsableError(BusinessError):
    """The role belongs to another tenant. Facts: code, customer."""

    code = "role-not-usable"
    field = "roleCode"
