"""Errors of receivers of notices."""

from zcbus.control.platform.errors import BusinessError
from zcbus.kit.errors import TerminalError, TransientError


class ReceiverNameTakenError(BusinessError):
    """Facts: name."""

    code = "notice-receiver-name-taken"
    field = "name"


class TooManyReceiversError(BusinessError):
    """Facts: most."""

    code = "notice-receivers-full"


class WayStaysError(BusinessError):
    """A receiver's way cannot change: its address and secrets were given for it."""

    code = "notice-way-stays"
    field = "way"


class MailPasswordNeededError(BusinessError):
    """A stored password is sent only to the server and user that it was given for."""

    code = "notice-password-needed"
    field = "password"


class WebhookAddressNeededError(BusinessError):
    """The way needs an address."""

    code = "notice-address-needed"
    field = "url"


class SigningSecretNeededError(BusinessError):
    """The way needs a secret; a stored one is for the address that it was given for."""

    code = "notice-secret-needed"
    field = "secret"


class ReceiverGoneError(BusinessError):
    """The receiver of a delivery was deleted."""

    code = "notice-receiver-gone"


class DeliveryOpenError(BusinessError):
    """The delivery is under way: there is nothing to send again."""

    code = "notice-delivery-open"


class ReceiverUnreachableError(TransientError):
    """Facts: address, detail."""

    code = "notice-unreachable"


class ReceiverBusyError(TransientError):
    """The receiver's server requests a later attempt. Facts: address, answer."""

    code = "notice-receiver-busy"


class NoticeRefusedError(TerminalError):
    """The receiver's server does not take it. Facts: address, answer."""

    code = "notice-refused"


class NoticeLoginRefusedError(TerminalError):
    """The mail server does not take user and password. Facts: address, user."""

    code = "notice-login-refused"


class RecipientsRefusedError(TerminalError):
    """The mail server took it for the others only. Facts: address, recipients."""

    code = "notice-recipients-refused"


class NoticeAddressRefusedError(TerminalError):
    """The control plane's network rules do not allow the address. Facts: address."""

    code = "notice-address-refused"
