"""What can go wrong when somebody signs in with an identity provider."""

from zcbus.control.platform.errors import BusinessError


class ExternalSignInAbsentError(BusinessError):
    """This installation is not set up for it."""

    code = "external-sign-in-absent"


class PublicAddressNeededError(BusinessError):
    """Nobody said under which address the provider knows this platform."""

    code = "public-address-needed"


class ProviderUnreachableError(BusinessError):
    """The provider does not answer, or not as its protocol says. The log has the details."""

    code = "provider-unreachable"


class ProviderRefusedError(BusinessError):
    """The provider does not stand for this sign-in, or what it says cannot be trusted. The log has the details."""

    code = "provider-refused"


class HandshakeOverError(BusinessError):
    """The sign-in was begun too long ago, or in another browser."""

    code = "handshake-over"


class NoAccountError(BusinessError):
    """Facts: name. The provider knows somebody for whom there is no account here that may sign in so."""

    code = "no-account"
