"""Errors of a cluster."""

from confluent_kafka import KafkaError, KafkaException

from zcbus.kit.errors import TerminalError, TransientError
from zcbus.kit.kafka import error_in, is_refusal


class BusAway(TransientError):
    """The cluster does not answer, or cannot serve the request now. Acknowledged records are safe.

    Facts: servers, detail.
    """

    code = "bus-away"


class BusRefused(TerminalError):
    """The cluster refuses this installation or a necessary operation. Facts: servers, detail."""

    code = "bus-refused"


def bus_error(error: KafkaError | KafkaException, servers: str) -> BusAway | BusRefused:
    """The contract's error for one of Kafka's."""
    error = error_in(error)
    kind = BusRefused if is_refusal(error) else BusAway
    return kind(servers=servers, detail=error.str() or error.name())
