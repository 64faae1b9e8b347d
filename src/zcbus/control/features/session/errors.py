"""What can go wrong when signing in."""

from zcbus.control.platform.errors import BusinessError


class CredentialsWrongError(BusinessError):
    code = "credentials-wrong"
    wire_code = 40106


class AccountDisabledError(BusinessError):
    code = "account-disabled"
