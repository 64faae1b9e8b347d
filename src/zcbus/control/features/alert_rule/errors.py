"""Errors of alert rules."""

from zcbus.control.platform.errors import BusinessError


class RuleNameTakenError(BusinessError):
    """Facts: name."""

    code = "alert-rule-name-taken"
    field = "name"


class RuleMuteTimeError(BusinessError):
    """A mute ends in the future, and not too far in it. Facts: days."""

    code = "alert-rule-mute-time"
    field = "until"


class TooManyRulesError(BusinessError):
    """Facts: most."""

    code = "alert-rules-full"
