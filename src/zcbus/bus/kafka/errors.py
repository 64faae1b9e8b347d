"""What can go wrong between us and a cluster."""

from confluent_kafka import KafkaError, KafkaException

from zcbus.kit.errors import TerminalError, TransientError
from zcbus.kit.kafka import error_in, is_refusal


class BusAway(TransientError):
    """The cluster does not answer, or cannot do now what is asked of it. Nothing acknowledged is lost.
    Facts: servers, detail."""

    code = "bus-away"


class BusRefused(TerminalError):
    """The cluster does not let this installation in, or not do what it needs. Facts: servers, detail."""

    code = "bus-refused"


def bus_error(error: KafkaError | KafkaException, servers: str) -> BusAway | BusRefused:
    """The contract's error for one of Kafka's."""
    error = error_in(error)
    kind = BusRefused if is_refusal(error) else BusAway
    return kind(servers=servers, detail=error.str() or error.name())
