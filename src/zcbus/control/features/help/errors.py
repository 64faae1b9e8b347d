"""Errors of the documentation."""

from zcbus.control.platform.errors import BusinessError


class DocumentsMissingError(BusinessError):
    """Neither the package nor the checkout holds the documentation."""

    code = "documents-missing"


class DocumentUnknownError(BusinessError):
    """Facts: name."""

    code = "document-unknown"
    field = "name"
