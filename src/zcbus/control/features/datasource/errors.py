"""Errors of data sources."""

from zcbus.control.platform.errors import BusinessError


class KindUnsupportedError(BusinessError):
    """Facts: kind."""

    code = "kind-unsupported"


class OptionInvalidError(BusinessError):
    """A connection's option is wrong. Facts: side, option, expected."""

    code = "option-invalid"


class DocumentInvalidError(BusinessError):
    """A connection's option that is a text of several lines is invalid. Facts: side, option, line, place, problem,
    detail; see OptionFault."""

    code = "document-invalid"


class OptionMissingError(BusinessError):
    """Facts: side, option."""

    code = "option-missing"


class PasswordNeededError(BusinessError):
    """A stored password is not sent to another server than the one it was given for. Facts: side."""

    code = "password-needed"


class ConnectionIncompleteError(BusinessError):
    """Neither a connection nor a link with a side was given."""

    code = "connection-incomplete"
