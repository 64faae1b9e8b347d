"""The connection test, check by check."""

from zcbus.connectors.consuming.consumer import Partition, TopicTrouble
from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.kafka.consumer import KafkaConsumer
from zcbus.connectors.kafka.spec import KafkaOptions
from zcbus.connectors.roles import CheckResult, Side
from zcbus.kit.errors import ZcbusError

_SHOWN = 5
_READ_SECONDS = 2.0


class KafkaTester:
    """See Tester."""

    def test(self, options: KafkaOptions, side: Side) -> list[CheckResult]:
        connect = f"connect to {options.servers}, then to the brokers that it names"
        try:
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
