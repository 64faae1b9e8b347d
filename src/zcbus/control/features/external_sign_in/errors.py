"""Errors of signing in with an identity provider."""

from zcbus.control.platform.errors import BusinessError


class ExternalSignInAbsentError(BusinessError):
    """This installation is not set up for it."""

    code = "external-sign-in-absent"


class PublicAddressNeededError(BusinessError):
    """The address under which the provider knows this platform is not configured."""

    code = "public-address-needed"


class ProviderUnreachableError(BusinessError):
    """The provider does not answer, or violates its protocol. The log has the details."""

    code = "provider-unreachable"


class ProviderRefusedError(BusinessError):
    """The provider refused this sign-in, or its answer cannot be trusted. The log has the details."""

    code = "provider-refused"


class AssertionEncryptedError(ProviderRefusedError):
    """The provider encrypts what it says of the user. The platform has no key for that: TLS protects it on its way."""

    code = "saml-assertion-encrypted"


class HandshakeOverError(BusinessError):
    """The sign-in was begun too long ago, or in another browser."""

    code = "handshake-over"
