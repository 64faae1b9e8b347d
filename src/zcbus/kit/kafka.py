"""Error codes and properties of librdkafka that all Kafka clients share."""

from typing import Any

from confluent_kafka import KafkaError, KafkaException

PROTOCOLS = {"plaintext": "plaintext", "tls": "ssl", "sasl": "sasl_plaintext", "sasl+tls": "sasl_ssl"}
"""Value of a setting or option → `security.protocol`."""
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
        KafkaError.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
        KafkaError.POLICY_VIOLATION,
        KafkaError.INVALID_CONFIG,
    }
)
"""Error codes for which a retry cannot help."""
GONE = frozenset(
    {
        KafkaError.UNKNOWN_TOPIC_OR_PART,
        KafkaError.UNKNOWN_TOPIC_ID,
        KafkaError.INCONSISTENT_TOPIC_ID,
        KafkaError._UNKNOWN_TOPIC,
        KafkaError._UNKNOWN_PARTITION,
    }
)
"""Error codes of a topic that does not exist, yet or any more."""
_MASK_64 = (1 << 64) - 1


def is_refusal(error: KafkaError) -> bool:
    """Whether a retry cannot help."""
    return error.code() in REFUSALS


def error_in(error: KafkaError | KafkaException) -> KafkaError:
    """The KafkaError in an exception, or the error itself."""
    if isinstance(error, KafkaError):
        return error
    found: KafkaError = error.args[0]
    return found


def code_of(error: KafkaException) -> int:
    """The error code in an exception."""
    return int(error_in(error).code())


def topic_id(description: Any) -> bytes:
    """The topic id in a TopicDescription, 16 bytes; zeros if the cluster has no topic ids."""
    identifier = description.topic_id
    return bytes(
        (identifier.get_most_significant_bits() & _MASK_64).to_bytes(8)
        + (identifier.get_least_significant_bits() & _MASK_64).to_bytes(8)
    )
