"""Errors of uploads."""

from zcbus.control.platform.errors import BusinessError
from zcbus.kit.errors import TransientError


class UploadTooLargeError(BusinessError):
    """Facts: size, limit (both in MB)."""

    code = "upload-too-large"
    field = "size"


class UploadQuotaError(BusinessError):
    """The tenant's files would be more than it may keep. Facts: used, size, limit (in MB)."""

    code = "upload-quota"


class UploadCrowdedError(BusinessError):
    """The user has too many uploads under way. Facts: most."""

    code = "upload-crowded"


class UploadOffsetError(BusinessError):
    """A part is not the next one: continue at `received`. Facts: received."""

    code = "upload-offset"


class UploadPartBrokenError(BusinessError):
    """The part's checksum is another one: it changed on the way; send it again. Facts: received."""

    code = "upload-part-broken"


class UploadBusyError(BusinessError):
    """Another request writes or checks the same upload."""

    code = "upload-busy"


class UploadIncompleteError(BusinessError):
    """Facts: received, size."""

    code = "upload-incomplete"


class UploadChecksumError(BusinessError):
    """The file is another one than was announced; it was removed. Facts: name."""

    code = "upload-checksum"


class UploadTypeError(BusinessError):
    """By its content the file is of no type that is taken here; it was removed. Facts: name, kind, accepted."""

    code = "upload-type"


class UploadEmptyError(BusinessError):
    code = "upload-empty"
    field = "size"


class PictureUnusableError(BusinessError):
    """Facts: detail."""

    code = "picture-unusable"


class UploadInfectedError(BusinessError):
    """The scanner rejects the file; it was removed. Facts: name, detail."""

    code = "upload-infected"


class ScannerFailedError(TransientError):
    """The scanner gave no verdict, so that the file stays invisible. Facts: detail."""

    code = "upload-scanner-failed"
