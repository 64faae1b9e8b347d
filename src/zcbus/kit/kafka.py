"""What every client of a Kafka cluster needs of librdkafka: which errors mean what, and words of its properties."""

from typing import Any

from confluent_kafka import KafkaError, KafkaException

PROTOCOLS = {"plaintext": "plaintext", "tls": "ssl", "sasl": "sasl_plaintext", "sasl+tls": "sasl_ssl"}
"""`security.protocol` by what settings and options call it."""
REFUSALS = frozenset(
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
"""Codes of what trying again cannot help."""
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
_WORD = (1 << 64) - 1


def is_refusal(error: KafkaError) -> bool:
    """Whether trying again cannot help."""
    return error.code() in REFUSALS


def error_in(error: KafkaError | KafkaException) -> KafkaError:
    """The error itself, or the one in an exception."""
    if isinstance(error, KafkaError):
        return error
    found: KafkaError = error.args[0]
    return found


def code_of(error: KafkaException) -> int:
    """The code in an exception."""
    return int(error_in(error).code())


def topic_id(description: Any) -> bytes:
    """The id in a TopicDescription, 16 bytes; zeros where the cluster gives topics none."""
    identifier = description.topic_id
    return bytes(
        (identifier.get_most_significant_bits() & _WORD).to_bytes(8)
        + (identifier.get_least_significant_bits() & _WORD).to_bytes(8)
    )
