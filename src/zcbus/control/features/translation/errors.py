"""Errors of custom texts."""

from zcbus.control.platform.errors import BusinessError


class TextUnknownError(BusinessError):
    """Facts: key."""

    code = "text-unknown"


class TextFaultError(BusinessError):
    """A text cannot stand in for the shipped one. Facts: key, problem (a `rules.TextFault`)."""

    code = "text-fault"


class ChineseTextFaultError(TextFaultError):
    field = "zh"


class EnglishTextFaultError(TextFaultError):
    field = "en"


class LabelFaultError(BusinessError):
    """A label cannot stand in for the shipped one. Facts: name, problem (a `rules.TextFault`)."""

    code = "label-fault"


class TextsRefusedError(BusinessError):
    """Texts of a file cannot be used, so none was written. Facts: count, key and problem of the
    first."""

    code = "texts-refused"
