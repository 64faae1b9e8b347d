"""What can go wrong with publications."""

from zcbus.control.platform.errors import BusinessError


class JsonTopicTakenError(BusinessError):
    """Facts: name."""

    code = "json-topic-taken"
