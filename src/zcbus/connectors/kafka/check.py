"""The connection test, check by check."""

from contextlib import closing

from confluent_kafka import KafkaException, Producer

from zcbus.connectors.consuming.consumer import Partition, TopicTrouble
from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.kafka.cluster import Cluster
from zcbus.connectors.kafka.consumer import KafkaConsumer
from zcbus.connectors.kafka.names import state_topic, transactional_id
from zcbus.connectors.kafka.spec import KafkaOptions
from zcbus.connectors.roles import CheckResult, Side
from zcbus.kit.errors import ZcbusError

_SHOWN = 5
_READ_SECONDS = 2.0
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
            return [CheckResult("login", connect, False, True, _detail(error), "", "account")]
        except ZcbusError as error:
            return [CheckResult("reachable", connect, False, True, _detail(error), "", "address")]
        try:
            found = [CheckResult("reachable", connect, True, True, consumer.identity())]
            return found + _check_topics(consumer, options)
        finally:
            consumer.close()


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
        return CheckResult("transactions", statement, False, True, _detail(cluster.error(error)), remedy, "access")
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
        return CheckResult("permissions", statement, False, True, _detail(error), _rights(options), "access")
    detail = f"partitions={options.partitions}, replication={replication}"
    return CheckResult("permissions", statement, True, True, detail)


def _rights(options: KafkaOptions) -> str:
    prefix = options.topic.partition("{table}")[0]
    return f"topics {prefix}*: CREATE, DESCRIBE, DESCRIBE_CONFIGS, READ, WRITE, DELETE"


def _check_topics(consumer: KafkaConsumer, options: KafkaOptions) -> list[CheckResult]:
    listing = f"list topics: {options.topics}"
    try:
        names = sorted(name for name in consumer.names() if options.is_selected(name))
    except ZcbusError as error:
        return [CheckResult("permissions", listing, False, True, _detail(error), "", "topics")]
    shown = ", ".join(names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
    listed = CheckResult("permissions", listing, bool(names), False, f"{len(names)}: {shown}" if names else "0")
    return [listed, *(_read(consumer, name) for name in names[:_SHOWN])]


def _read(consumer: KafkaConsumer, name: str) -> CheckResult:
    """Whether messages can be read, if there are any."""
    statement = f"read {name}"
    try:
        topic = consumer.topics([name])[name]
        partitions: list[Partition] = [(name, number) for number in topic.partitions]
        firsts, ends = consumer.firsts(partitions), consumer.ends(partitions)
        filled = [one for one in partitions if firsts[one] < ends[one]][:1]
        if filled:
            consumer.follow({filled[0]: firsts[filled[0]]})
            consumer.read(_READ_SECONDS)
            consumer.leave(filled)
    except TopicTrouble as trouble:
        return CheckResult("permissions", statement, False, False, trouble.detail, "", "topics")
    except (ZcbusError, KeyError) as error:
        return CheckResult("permissions", statement, False, False, _detail(error), "", "topics")
    detail = f"{len(partitions)} × {sum(ends.values()) - sum(firsts.values())}"
    return CheckResult("permissions", statement, True, False, detail)


def _detail(error: Exception) -> str:
    return str(error.facts.get("detail", error)) if isinstance(error, ZcbusError) else str(error)
