"""What can go wrong with subscriptions; the codes are the specification's."""

from zcbus.control.platform.errors import BusinessError


class MasterLimitError(BusinessError):
    """Facts: limit."""

    code = "master-limit"
    wire_code = 60100


class ChannelNameTakenError(BusinessError):
    """Facts: name."""

    code = "channel-name-taken"
    wire_code = 60101
