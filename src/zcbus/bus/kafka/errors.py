"""What can go wrong between us and a cluster."""

from confluent_kafka import KafkaError, KafkaException

from zcbus.kit.errors import TerminalError, TransientError


class BusAway(TransientError):
    """The cluster does not answer, or cannot do now what is asked of it. Nothing acknowledged is lost.
    Facts: servers, detail."""

    code = "bus-away"


class BusRefused(TerminalError):
    """The cluster does not let this installation in, or not do what it needs. Facts: servers, detail."""

    code = "bus-refused"


_REFUSALS = frozenset(
    {
        KafkaError._AUTHENTICATION,
        KafkaError._SSL,
        KafkaError._INVALID_ARG,
        KafkaError.SASL_AUTHENTICATION_FAILED,
        KafkaError.UNSUPPORTED_SASL_MECHANISM,
        KafkaError.ILLEGAL_SASL_STATE,
        KafkaError.TOPIC_AUTHORIZATION_FAILED,
        KafkaError.GROUP_AUTHORIZATION_FAILED,
        KafkaError.CLUSTER_AUTHORIZATION_FAILED,
        KafkaError.POLICY_VIOLATION,
        KafkaError.INVALID_CONFIG,
    }
)
GONE = frozenset(
    {
        KafkaError.UNKNOWN_TOPIC_OR_PART,
        KafkaError.UNKNOWN_TOPIC_ID,
        KafkaError.INCONSISTENT_TOPIC_ID,
        KafkaError._UNKNOWN_TOPIC,
        KafkaError._UNKNOWN_PARTITION,
    }
)
"""Codes of a topic that is not there, or not yet, or not any more."""


def is_refusal(error: KafkaError) -> bool:
    """Whether trying again cannot help."""
    return error.code() in _REFUSALS


def code_of(error: KafkaException) -> int:
    """The code in an exception."""
    return int(_error_in(error).code())


def bus_error(error: KafkaError | KafkaException, servers: str) -> BusAway | BusRefused:
    """The contract's error for one of Kafka's."""
    if isinstance(error, KafkaException):
        error = _error_in(error)
    kind = BusRefused if is_refusal(error) else BusAway
    return kind(servers=servers, detail=error.str() or error.name())


def _error_in(error: KafkaException) -> KafkaError:
    found: KafkaError = error.args[0]
    return found
