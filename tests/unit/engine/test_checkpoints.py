"""What a table's checkpoint remembers of records that were loaded in any order."""

import random
from dataclasses import asdict

import orjson

from zcbus.engine.subscribe.checkpoints.records import Amount, Phase, TableCheckpoint, table_checkpoint, with_loaded


def test_records_loaded_in_any_order_are_each_remembered_once() -> None:
    order = list(range(12))
    random.Random(3).shuffle(order)
    checkpoint, done = TableCheckpoint(1, Phase.LOADING), set[int]()
    for offset in order:
        checkpoint = with_loaded(checkpoint, {offset: 100 + offset}, Amount(5, 50), 60)
        done.add(offset)
        assert {*range(checkpoint.full_offset), *dict(checkpoint.ahead)} == done
        assert checkpoint.record_time == (99 + checkpoint.full_offset if checkpoint.full_offset else None)
    assert (checkpoint.full_offset, checkpoint.ahead, checkpoint.rows_loaded, checkpoint.bytes_loaded) == (
        12,
        (),
        60,
        600,
    )


def test_an_applier_checkpoint_is_read_back_as_it_was_written() -> None:
    checkpoint = with_loaded(TableCheckpoint(1, Phase.LOADING, columns=(("id", "bigint"),)), {3: 7}, Amount(1, 8), None)
    assert table_checkpoint(orjson.dumps(asdict(checkpoint)).decode()) == checkpoint
