"""Progress of reading topics: what is remembered over restarts, and whether reading can resume."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from zcbus.connectors.consuming.consumer import Consumer, Mark, Offsets, Partition, Topic, TopicTrouble
from zcbus.connectors.consuming.offsets import OffsetForm
from zcbus.model.schema import TableSchema

Shape = list[list[str]]


@dataclass(frozen=True, slots=True)
class CaptureStart:
    """The start of a topic's capture. Stored in the node's history document, which is durable before a frame is."""

    identity: str
    """See Topic."""
    shape: Shape
    starts: Mapping[int, int]
    """By partition. A partition without an offset was added later, and is read from offset 0."""


def shape_of(schema: TableSchema) -> Shape:
    """Names and types of columns."""
    return [[column.name, column.type.native] for column in schema.columns]


def starts_to_json(topics: Mapping[str, CaptureStart]) -> bytes:
    """The history document."""
    return _dumps({name: [one.identity, one.shape, _texts(one.starts)] for name, one in topics.items()}).encode()


def starts_from_json(document: bytes) -> dict[str, CaptureStart]:
    """Inverse of begun_to_json; none where it is empty."""
    stored = json.loads(document or b"{}")
    return {name: CaptureStart(identity, shape, _numbers(starts)) for name, (identity, shape, starts) in stored.items()}


def reached_to_text(topics: Iterable[Topic], reached: Offsets, marks: Mapping[Partition, Mark]) -> str:
    """The vector that travels in frames: of each topic which it is, and of each partition the next offset and what was
    read last."""
    return _dumps(
        {
            topic.name: [
                topic.identity,
                {str(one): reached[topic.name, one] for one in topic.partitions},
                {str(one): marks[topic.name, one] for one in topic.partitions if (topic.name, one) in marks},
            ]
            for topic in topics
        }
    )


def resume_offsets(begun: CaptureStart, topic: str, gtid_set: str) -> dict[Partition, int]:
    """The offsets to resume from: after what is durable, but not before the capture began.

    `gtid_set` may be of an earlier capture of the topic, or of another topic of its name.
    """
    known, _ = _stored(begun, topic, gtid_set)
    numbers = {*begun.starts, *known}
    return {(topic, one): max(known.get(one, 0), begun.starts.get(one, 0)) for one in sorted(numbers)}


def resume_marks(begun: CaptureStart, topic: str, gtid_set: str) -> dict[Partition, Mark]:
    """What was read last of the partitions, as far as it was read since the capture began."""
    _, marks = _stored(begun, topic, gtid_set)
    return {(topic, one): mark for one, mark in marks.items() if mark.offset >= begun.starts.get(one, 0)}


def _stored(begun: CaptureStart, topic: str, gtid_set: str) -> tuple[dict[int, int], dict[int, Mark]]:
    """Offsets and marks by partition; none where they are another topic's."""
    identity, reached, *marks = json.loads(gtid_set or "{}").get(topic, ("", {}))
    if identity != begun.identity:
        return {}, {}
    return _numbers(reached), {int(one): Mark(*mark) for one, mark in (marks[0] if marks else {}).items()}


def check_identity(topic: Topic, identity: str) -> None:
    """Raise TopicTrouble if a topic was created again, or another cluster answers."""
    if topic.identity != identity:
        raise TopicTrouble(topic.name, "topic-replaced", f"{topic.name}: {identity} → {topic.identity}")


def check_retained(consumer: Consumer, requested: Offsets, form: OffsetForm) -> None:
    """Raise TopicTrouble if messages from these offsets on were removed."""
    firsts = consumer.firsts(requested)
    for (topic, partition), offset in requested.items():
        if (first := firsts[topic, partition]) > offset:
            detail = f"{topic}, partition {partition}: {form.place(offset)} … {form.place(first - 1)}"
            raise TopicTrouble(topic, "messages-lost", detail)


def check_ends(ends: Offsets, reached: Offsets, form: OffsetForm) -> None:
    """Raise TopicTrouble if a partition ends before what was read of it."""
    for (topic, partition), offset in reached.items():
        if (end := ends[topic, partition]) < offset:
            detail = f"{topic}, partition {partition}: read up to {form.place(offset)}, ends at {form.place(end)}"
            raise TopicTrouble(topic, "topic-replaced", detail)


def _dumps(document: object) -> str:
    """Offsets may have more than 64 bits."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def _texts(offsets: Mapping[int, int]) -> dict[str, int]:
    return {str(partition): offset for partition, offset in offsets.items()}


def _numbers(offsets: Mapping[str, Any]) -> dict[int, int]:
    return {int(partition): offset for partition, offset in offsets.items()}
