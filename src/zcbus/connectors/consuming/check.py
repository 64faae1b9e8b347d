"""The part of a broker's connection test that every kind has."""

from zcbus.connectors.consuming.consumer import Consumer, Partition, TopicTrouble, held
from zcbus.connectors.consuming.options import ConsumingOptions
from zcbus.connectors.roles import CheckResult
from zcbus.kit.errors import ZcbusError

_SHOWN = 5
_READ_SECONDS = 2.0


def check_topics(consumer: Consumer, options: ConsumingOptions) -> list[CheckResult]:
    """Whether the topics can be listed, and messages of the first ones read."""
    listing = f"list topics: {options.topics}"
    try:
        names = sorted(name for name in consumer.names() if options.is_selected(name))
    except ZcbusError as error:
        return [CheckResult("permissions", listing, False, True, detail_of(error), "", "topics")]
    shown = ", ".join(names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
    listed = CheckResult("permissions", listing, bool(names), False, f"{len(names)}: {shown}" if names else "0")
    return [listed, *(_read(consumer, name) for name in names[:_SHOWN])]


def _read(consumer: Consumer, name: str) -> CheckResult:
    """Whether messages can be read, if there are any."""
    statement = f"read {name}"
    try:
        topic = consumer.topics([name])[name]
        partitions: list[Partition] = [(name, number) for number in topic.partitions]
        firsts, ends, count = consumer.firsts(partitions), consumer.ends(partitions), held(consumer, partitions)
        filled = [one for one in partitions if firsts[one] < ends[one]][:1]
        if filled:
            consumer.follow({filled[0]: firsts[filled[0]]})
            consumer.read(_READ_SECONDS)
            consumer.leave(filled)
    except TopicTrouble as trouble:
        return CheckResult("permissions", statement, False, False, trouble.detail, "", "topics")
    except (ZcbusError, KeyError) as error:
        return CheckResult("permissions", statement, False, False, detail_of(error), "", "topics")
    detail = f"{len(partitions)} × {count}"
    return CheckResult("permissions", statement, True, False, detail)


def detail_of(error: Exception) -> str:
    """The cause as the broker reports it."""
    return str(error.facts.get("detail", error)) if isinstance(error, ZcbusError) else str(error)
