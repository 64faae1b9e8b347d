"""Errors of the message bus."""

from zcbus.control.platform.errors import BusinessError


class TopicOfNodeError(BusinessError):
    """The platform's own topic of a publish node, which goes with the node. Facts: topic, node."""

    code = "bus-topic-of-node"


class TopicOfTargetError(BusinessError):
    """It has the positions of a target that keeps none itself. Facts: topic."""

    code = "bus-topic-of-target"


class TopicInUseError(BusinessError):
    """The node's service must be stopped first. Facts: topic, node."""

    code = "bus-topic-in-use"


class TopicBeingLoadedError(BusinessError):
    """Tables are still to load it. Facts: topic, count, tables."""

    code = "bus-topic-being-loaded"


class TopicNotTypedError(BusinessError):
    """The name that confirms the deletion differs. Facts: topic."""

    code = "bus-topic-not-typed"
    field = "typed"


class RecordsNotShownError(BusinessError):
    """Only real and full topics have records to look into. Facts: topic."""

    code = "bus-records-not-shown"


class TopicGoneError(BusinessError):
    """The bus does not have the topic any more. Facts: topic."""

    code = "bus-topic-gone"
