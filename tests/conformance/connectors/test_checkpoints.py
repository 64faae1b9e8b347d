"""Checkpoints move with the data, and stale writers are fenced."""

import pytest

from tests.conformance.connectors.case import Place
from tests.conformance.connectors.test_copying import ITEMS, fill
from zcbus.connectors.errors import Fenced
from zcbus.connectors.roles import Checkpoint, RegisteredSession
from zcbus.connectors.roles.sink import register
from zcbus.kit.errors import TransientError
from zcbus.model.states import CleanMode

pytestmark = pytest.mark.server


def test_a_checkpoint_is_stored_with_the_data_or_not_at_all(place: Place) -> None:
    place.create("items", ITEMS)
    fill(place, 10)
    source_schema = place.describe("items")
    with place.connector.source(place.options).open_snapshot() as snapshot:
        ((batch, _),) = snapshot.read(source_schema, source_schema.key(), None, 100)
    table = place.target_table(source_schema)
    with place.connector.target(place.options).open() as session:
        session.prepare_store()
        session.prepare_store()
        session.create_table(table, CleanMode.TRUNCATE)
        session.load(table, batch)
        session.write_checkpoints([Checkpoint("sub", "lane 1", 1, '{"n": "表"}')])
        session.rollback()
        assert session.checkpoints("sub") == []
        assert place.read("items") == []
        session.load(table, batch)
        session.write_checkpoints([Checkpoint("sub", "lane 1", 1, '{"n": "表"}')])
        session.commit()
    with place.connector.target(place.options).open() as session:
        assert session.checkpoints("sub") == [Checkpoint("sub", "lane 1", 1, '{"n": "表"}')]
        session.delete(table, batch.select(["id", "part"]))
        session.write_checkpoints([Checkpoint("sub", "lane 1", 2, "{}")])
    assert len(place.read("items")) == 10, "leaving without commit rolls back"
    names = []
    with place.connector.discoverer(place.options) as discoverer:
        names = [summary.name.table for summary in discoverer.tables()]
    assert "zcbus_lane" not in names


def test_a_commit_without_durability_is_visible_to_other_sessions(place: Place) -> None:
    with place.connector.target(place.options).open() as session, place.connector.target(place.options).open() as other:
        session.prepare_store()
        for version in (1, 2):
            session.write_checkpoints([Checkpoint("sub", "a", version, "{}")])
            session.commit(durable=False)
            assert other.checkpoints("sub") == [Checkpoint("sub", "a", version, "{}")]
            other.rollback()


def test_versions_fence_leftovers_out(place: Place) -> None:
    with place.connector.target(place.options).open() as session, place.connector.target(place.options).open() as other:
        session.prepare_store()
        session.write_checkpoints([Checkpoint("sub", "a", 1, "{}")])
        session.write_checkpoints([Checkpoint("sub", "b", 1, "{}")])
        session.write_checkpoints([Checkpoint("another", "a", 1, "{}")])
        session.commit()
        for wrong in (1, 3, 7):
            with pytest.raises(Fenced):
                other.write_checkpoints([Checkpoint("sub", "a", wrong, "{}")])
            other.rollback()
        other.write_checkpoints([Checkpoint("sub", "a", 2, "new")])
        other.commit()
        with pytest.raises(Fenced):
            session.write_checkpoints([Checkpoint("sub", "a", 2, "{}")])
        session.rollback()
        with pytest.raises(Fenced):
            session.write_checkpoints([Checkpoint("sub", "never seen", 5, "{}")])
        session.rollback()
        assert sorted(session.checkpoints("sub"), key=lambda checkpoint: checkpoint.name) == [
            Checkpoint("sub", "a", 2, "new"),
            Checkpoint("sub", "b", 1, "{}"),
        ]
        session.delete_checkpoints("sub", "a")
        assert [checkpoint.name for checkpoint in session.checkpoints("sub")] == ["b"]
        session.delete_checkpoints("sub")
        assert session.checkpoints("sub") == []
        assert len(session.checkpoints("another")) == 1


def test_several_checkpoints_are_stored_together_or_refused(place: Place) -> None:
    with place.connector.target(place.options).open() as session:
        session.prepare_store()
        session.write_checkpoints([Checkpoint("many", f"{number}", 1, "old") for number in range(50)])
        session.commit()
        mixed = [
            Checkpoint("many", "5", 2, "new"),
            Checkpoint("many", "x", 1, "first"),
            Checkpoint("many", "6", 2, "new"),
        ]
        session.write_checkpoints(mixed)
        session.commit()
        stored = {one.name: (one.version, one.data) for one in session.checkpoints("many")}
        assert len(stored) == 51
        assert [stored[name] for name in ("5", "6", "x", "7")] == [(2, "new"), (2, "new"), (1, "first"), (1, "old")]
        with pytest.raises(Fenced):
            session.write_checkpoints([Checkpoint("many", "7", 2, "late"), Checkpoint("many", "5", 2, "late")])
        session.rollback()
        assert {one.name: one.version for one in session.checkpoints("many")}["7"] == 1


def test_the_next_process_ends_leftover_sessions(place: Place) -> None:
    """Of this owner, by number; all that they hold is free then."""
    target = place.connector.target(place.options)
    with target.open() as left, target.open() as living, target.open() as stranger, target.open() as other:
        assert isinstance(left, RegisteredSession)
        for session, owner, number in ((left, "sub", 3), (living, "sub", 4), (stranger, "another", 3)):
            register(session, owner, number)
            session.prepare_store()
            session.write_checkpoints([Checkpoint(owner, f"of {number}", 1, "{}")])
        register(other, "sub", 0, dead=[1, 2, 3])
        other.write_checkpoints([Checkpoint("sub", "of 3", 1, "{}")])
        other.commit()
        with pytest.raises(TransientError):
            left.commit()
        living.commit()
        stranger.commit()
        assert {checkpoint.name for checkpoint in other.checkpoints("sub")} == {"of 3", "of 4"}
        assert {checkpoint.name for checkpoint in other.checkpoints("another")} == {"of 3"}
        other.rollback()


def test_a_session_with_the_same_number_replaces_the_one_before(place: Place) -> None:
    target = place.connector.target(place.options)
    with target.open() as before, target.open() as session:
        register(before, "sub", 0)
        register(session, "sub", 0)
        with pytest.raises(TransientError):
            before.checkpoints("sub")
        session.prepare_store()
        assert session.checkpoints("sub") == []
