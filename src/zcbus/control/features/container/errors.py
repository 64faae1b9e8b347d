"""Errors of containers and their agents."""

from zcbus.control.platform.errors import BusinessError, HttpError


class ContainerUnknownError(BusinessError):
    """Facts: name."""

    code = "container-unknown"


class ContainerChoiceNeededError(BusinessError):
    """The call names no container, and there is not exactly one. Facts: count."""

    code = "container-choice-needed"
    field = "containerid"


class AgentChoiceNeededError(BusinessError):
    """The call names no host, and there is not exactly one. Facts: count."""

    code = "agent-choice-needed"
    field = "deviceId"


class ReferenceUnreadError(BusinessError):
    """Agents of an older version take no references to secrets. Facts: hosts."""

    code = "reference-unread"
    field = "password"


class KafkaPropertyRefusedError(BusinessError):
    """The client library does not know a property or not take its value, or it is the platform's own. Facts: detail."""

    code = "kafka-property-refused"


class PropertyUnknownError(BusinessError):
    """There is no such property. Facts: name (`module.property`)."""

    code = "property-unknown"


class PropertyRefusedError(BusinessError):
    """A property cannot have this value. Facts: name (`module.property`), least, most."""

    code = "property-refused"


class BusNotSharedError(BusinessError):
    """A host has another bus than the container's other hosts. Facts: container, host (one of the others), other (its
    bus), own."""

    code = "bus-not-shared"


class NotThisContainerError(HttpError):
    """The agent's token belongs to another container. Facts: container."""

    code = "not-this-container"
    status = 403
    wire_code = 40103


class NotThisAgentError(HttpError):
    """The token belongs to another agent, or to another host. Facts: host (the token's), agent."""

    code = "not-this-agent"
    status = 403
    wire_code = 40103


class AgentUnknownError(HttpError):
    """The agent has to register first. Facts: agent."""

    code = "agent-unknown"
    status = 404
    wire_code = 404


class AddressOutsideError(BusinessError):
    """Data services of the container may not listen there. Facts: host, port, first, last (of its ports)."""

    code = "address-outside"
    field = "port"
