"""The connection test, check by check."""

from collections.abc import Iterator
from contextlib import closing

from confluent_kafka import KafkaException, Producer

from zcbus.connectors.consuming.check import check_topics, detail_of
from zcbus.connectors.consuming.consumer import TopicTrouble
from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.kafka.cluster import Cluster
from zcbus.connectors.kafka.consumer import KafkaConsumer
from zcbus.connectors.kafka.names import state_topic, transactional_id
from zcbus.connectors.kafka.schema_registry import SchemaRegistry
from zcbus.connectors.kafka.spec import KafkaOptions
from zcbus.connectors.roles import CheckResult, Side
from zcbus.kit.errors import ZcbusError

_TRANSACTION_SECONDS = 10.0


class KafkaTester:
    """See Tester."""

    def test(self, options: KafkaOptions, side: Side) -> list[CheckResult]:
        connect = f"connect to {options.servers}, then to the brokers that it names"
        try:
            if side == "target":
                with closing(Cluster(options, side)) as cluster:
                    reached = CheckResult("reachable", connect, True, True, cluster.identity)
                    return [reached, _transactions(cluster, options), _creation(cluster, options)]
            consumer = KafkaConsumer(options)
        except AccessDenied as error:
            return [CheckResult("login", connect, False, True, detail_of(error), "", "account")]
        except ZcbusError as error:
            return [CheckResult("reachable", connect, False, True, detail_of(error), "", "address")]
        try:
            found = [CheckResult("reachable", connect, True, True, consumer.identity())]
            return [*found, *_registry(options), *check_topics(consumer, options)]
        finally:
            consumer.close()


def _registry(options: KafkaOptions) -> Iterator[CheckResult]:
    if not options.registry:
        return
    statement = f"GET {options.registry}/schemas/ids/…"
    try:
        SchemaRegistry(options).reach()
    except AccessDenied as error:
        yield CheckResult("schema-registry", statement, False, True, detail_of(error), "", "account")
    except ZcbusError as error:
        yield CheckResult("schema-registry", statement, False, True, detail_of(error), "", "address")
    else:
        yield CheckResult("schema-registry", statement, True, True, options.registry)


def _transactions(cluster: Cluster, options: KafkaOptions) -> CheckResult:
    """Whether the cluster lets us begin transactions; an empty one leaves nothing."""
    name = transactional_id(options, "test")
    statement = f"transaction of {name}"
    producer = cluster.make(Producer, {"transactional.id": name})
    try:
        producer.init_transactions(_TRANSACTION_SECONDS)
        producer.begin_transaction()
        producer.abort_transaction(_TRANSACTION_SECONDS)
    except KafkaException as error:
        prefix = options.topic.partition("{table}")[0]
        remedy = f"transactional id {prefix}*: WRITE, DESCRIBE; cluster: IDEMPOTENT_WRITE"
        return CheckResult("transactions", statement, False, True, detail_of(cluster.error(error)), remedy, "access")
    return CheckResult("transactions", statement, True, True, name)


def _creation(cluster: Cluster, options: KafkaOptions) -> CheckResult:
    """Whether topics can be created as the options say; the cluster only validates."""
    name = state_topic(options)
    statement = f"create topics {options.topic}"
    replication = f"{options.replication or 'default'}"
    try:
        if cluster.topics([name]):
            policy = cluster.settings(name).get("cleanup.policy", "")
            fault = policy != "compact"
            detail, remedy = f"{name}: cleanup.policy={policy}", "cleanup.policy=compact" if fault else ""
            return CheckResult("permissions", statement, not fault, True, detail, remedy)
        cluster.validate(name, options.partitions, options.replication)
    except TopicTrouble as trouble:
        return CheckResult("permissions", statement, False, True, trouble.detail, _rights(options), "access")
    except ZcbusError as error:
        return CheckResult("permissions", statement, False, True, detail_of(error), _rights(options), "access")
    detail = f"partitions={options.partitions}, replication={replication}"
    return CheckResult("permissions", statement, True, True, detail)


def _rights(options: KafkaOptions) -> str:
    prefix = options.topic.partition("{table}")[0]
    return f"topics {prefix}*: CREATE, DESCRIBE, DESCRIBE_CONFIGS, READ, WRITE, DELETE"
