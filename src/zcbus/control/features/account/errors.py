"""Errors of accounts."""

from zcbus.control.platform.errors import BusinessError


class PasswordLengthError(BusinessError):
    """Facts: shortest, longest."""

    code = "password-length"
    field = "password"


class PasswordTooSimpleError(BusinessError):
    code = "password-too-simple"
    field = "password"


class PasswordsDifferError(BusinessError):
    code = "passwords-differ"
    field = "confirmPassword"


class PasswordUnchangedError(BusinessError):
    code = "password-unchanged"
    field = "newPassword"


class CurrentPasswordWrongError(BusinessError):
    code = "current-password-wrong"
    field = "currentPassword"


class UserNameTakenError(BusinessError):
    """Facts: name."""

    code = "user-name-taken"
    field = "userName"


class UserUnknownError(BusinessError):
    """Facts: name."""

    code = "user-unknown"


class RoleUnknownError(BusinessError):
    """Facts: code."""

    code = "role-unknown"
    field = "roleCode"


class DirectoryUnavailableError(BusinessError):
    """The directory did not say whether the password is right. The log has the details."""

    code = "directory-unavailable"
