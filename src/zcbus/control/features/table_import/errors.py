"""Errors of imports into a table."""

from zcbus.control.platform.errors import BusinessError


class ImportFileUnreadableError(BusinessError):
    """The uploaded file cannot be read as data. Facts: name, detail."""

    code = "import-file-unreadable"


class ImportBusyError(BusinessError):
    """Other files are being read."""

    code = "import-busy"
