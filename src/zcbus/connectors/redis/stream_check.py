"""The part of a source's connection test that concerns its streams."""

from contextlib import closing, suppress
from dataclasses import replace

from zcbus.connectors.consuming.check import check_topics
from zcbus.connectors.consuming.consumer import Message, TopicTrouble
from zcbus.connectors.consuming.rows import VALUE, MessageRows
from zcbus.connectors.redis.consumer import RedisConsumer
from zcbus.connectors.redis.samples import suggested
from zcbus.connectors.redis.spec import RedisOptions
from zcbus.connectors.roles import CheckResult
from zcbus.kit.errors import ZcbusError

_SHOWN = 5
_SAMPLES = 100
_COMMANDS = "+ping +select +info +role +scan +type +multi +exec +xinfo|stream +xread +xrange"


def check_streams(options: RedisOptions, seconds: float) -> list[CheckResult]:
    """Whether streams can be listed and read, and which columns their first entries suggest where none are declared.

    `seconds`: for a response, at most. Raises ZcbusError.
    """
    with closing(RedisConsumer(options, seconds)) as consumer:
        results = check_topics(consumer, options)
        if not results[0].ok and results[0].blocking:
            return [_with_remedy(results[0], options)]
        names = [one.statement.removeprefix("read ") for one in results[1:] if one.ok]
        found = [_suggestion(consumer, name) for name in names[:_SHOWN] if _is_open(options, name)]
    return [*(_with_remedy(one, options) for one in results), *(one for one in found if one is not None)]


def _with_remedy(result: CheckResult, options: RedisOptions) -> CheckResult:
    if result.ok or "permission" not in result.detail:
        return result
    patterns = " ".join(f"%R~{one.strip()}" for one in options.topics.split(",") if one.strip())
    remedy = f"ACL SETUSER {options.user or 'default'} {patterns} {_COMMANDS}"
    return replace(result, remedy=remedy, advice="access")


def _is_open(options: RedisOptions, name: str) -> bool:
    """Whether columns could be declared that are not."""
    return options.has_fields and VALUE in MessageRows(options).schema(name).names


def _suggestion(consumer: RedisConsumer, name: str) -> CheckResult | None:
    columns = suggested(message.headers for message in _samples(consumer, name))
    if not columns:
        return None
    return CheckResult("columns", f"read {name}", True, False, f"{name}: {columns}")


def _samples(consumer: RedisConsumer, name: str) -> list[Message]:
    found: list[Message] = []
    with suppress(TopicTrouble, ZcbusError):
        consumer.follow({(name, 0): 0})
        while len(found) < _SAMPLES:
            messages, _ = consumer.read(0)
            if not messages:
                break
            found += messages
        consumer.leave([(name, 0)])
    return found[:_SAMPLES]
