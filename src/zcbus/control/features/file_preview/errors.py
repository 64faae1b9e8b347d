"""Errors of file previews."""

from zcbus.control.platform.errors import BusinessError


class PreviewUnreadableError(BusinessError):
    """The file is no Parquet file and no workbook, or it is damaged or too large unpacked. Facts: detail."""

    code = "preview-unreadable"


class PreviewBusyError(BusinessError):
    """Other files are being read."""

    code = "preview-busy"
