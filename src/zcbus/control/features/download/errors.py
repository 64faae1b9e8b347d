"""Errors of downloads."""

from zcbus.control.platform.errors import HttpError


class DownloadMissingError(HttpError):
    """This installation does not have the file."""

    code = "download-missing"
    status = 404
    wire_code = 404
