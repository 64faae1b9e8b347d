"""Errors of service accounts."""

from zcbus.control.platform.errors import BusinessError


class ServiceAccountNameTakenError(BusinessError):
    """Names differ among a tenant's service accounts that are not revoked. Facts: name."""

    code = "service-account-name-taken"
    field = "name"


class ServiceAccountLifetimeError(BusinessError):
    """Facts: longest (days, the system parameter `api_token_days`)."""

    code = "service-account-lifetime"
    field = "days"


class ServiceAccountScopeError(BusinessError):
    """The scope is empty, or allows what its owner may not do. Facts: name."""

    code = "service-account-scope"
    field = "permissions"


class ServiceAccountForeignError(BusinessError):
    """Only its owner gets a new token or another scope for an account. Facts: name, owner."""

    code = "service-account-foreign"


class ServiceAccountSessionNeededError(BusinessError):
    """A token makes no token, and gives itself no wider scope."""

    code = "service-account-session-needed"


class ServiceAccountsFullError(BusinessError):
    """Facts: most."""

    code = "service-accounts-full"


class TokenUnknownError(BusinessError):
    """Facts: id."""

    code = "token-unknown"
