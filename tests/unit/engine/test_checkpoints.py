"""What a table's lane remembers of records that were loaded in any order."""

import random
from dataclasses import asdict

import orjson

from zcbus.engine.subscribe.checkpoints.records import Amount, Phase, TableCheckpoint, table_checkpoint, with_loaded


def test_records_loaded_in_any_order_are_each_remembered_once() -> None:
    order = list(range(12))
    random.Random(3).shuffle(order)
    lane, done = TableCheckpoint(1, Phase.LOADING), set[int]()
    for offset in order:
        lane = with_loaded(lane, {offset: 100 + offset}, Amount(5, 50), 60)
        done.add(offset)
        assert {*range(lane.full_offset), *dict(lane.ahead)} == done
        assert lane.record_time == (99 + lane.full_offset if lane.full_offset else None)
    assert (lane.full_offset, lane.ahead, lane.rows_loaded, lane.bytes_loaded) == (12, (), 60, 600)


def test_a_lane_is_read_back_as_it_was_written() -> None:
    lane = with_loaded(TableCheckpoint(1, Phase.LOADING, columns=(("id", "bigint"),)), {3: 7}, Amount(1, 8), None)
    assert table_checkpoint(orjson.dumps(asdict(lane)).decode()) == lane
