"""Stored states follow every change of a fact, also with concurrent writers."""

import threading
from datetime import timedelta

import pytest
from sqlalchemy import Connection, delete, select, update

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.support.control_plane import ControlPlane
from tests.support.states import assert_states_hold
from zcbus.control.features.service.overdue import reduce_all, reduce_overdue
from zcbus.control.store.tables.container import service
from zcbus.control.store.tables.subscribe import subscribed_table
from zcbus.control.store.tables.sync_link import sync_link
from zcbus.model.states import ServiceState, SyncState

SOON = 30.0


@pytest.fixture
def running(admin: Caller, agent: FakeAgent) -> FakeAgent:
    """An agent that syncs on demand, with a link of two tables that runs."""
    admin.call("sync/link/apply", {"document": document()})
    agent.rest()
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING)
    return agent


def states(connection: Connection) -> tuple[set[str], str]:
    tables = set(connection.execute(select(subscribed_table.c.current_state)).scalars())
    return tables, connection.execute(select(sync_link.c.current_state)).scalar_one()


def crash(connection: Connection) -> None:
    """As an agent reports the applying service."""
    restarting = update(service).where(service.c.type == "subscribe").values(observed=ServiceState.RESTARTING)
    connection.execute(restarting)


def fail(connection: Connection) -> None:
    """As a service reports its tables."""
    connection.execute(update(subscribed_table).values(state=SyncState.INCREMENTAL_ERROR))


def test_a_transaction_reads_the_states_of_what_it_wrote(running: FakeAgent, plane: ControlPlane) -> None:
    with plane.services.database.write() as store:
        assert states(store) == ({"incremental-running"}, "incremental-running")
        crash(store)
        assert states(store) == ({"incremental-allowed"}, "starting")
        fail(store)
        assert states(store) == ({"incremental-error"}, "error")
    with plane.services.database.read() as store:
        assert states(store) == ({"incremental-error"}, "error")


def test_a_transaction_that_is_rolled_back_leaves_states_as_they_were(running: FakeAgent, plane: ControlPlane) -> None:
    with plane.services.database.write() as store:
        crash(store)
        assert states(store)[1] == "starting"
        store.rollback()
    with plane.services.database.read() as store:
        assert states(store) == ({"incremental-running"}, "incremental-running")
    assert_states_hold(plane.services)


def test_a_second_writer_waits_for_the_first(running: FakeAgent, plane: ControlPlane) -> None:
    database = plane.services.database

    def report() -> None:
        with database.write() as store:
            store.execute(select(service.c.id)).all()
            store.execute(update(subscribed_table).values(reported_generation=1))

    beside = threading.Thread(target=report)
    with database.write() as store:
        crash(store)
        assert states(store)[1] == "starting"
        beside.start()
    beside.join(SOON)
    with database.read() as store:
        assert states(store) == ({"incremental-allowed"}, "starting")
    assert_states_hold(plane.services)


def test_a_link_that_loses_tables_is_reduced(running: FakeAgent, plane: ControlPlane) -> None:
    running.report_tables(SyncState.FULL_ERROR, ["public.orders"])
    database = plane.services.database
    failed = subscribed_table.c.current_state == SyncState.FULL_ERROR
    with database.write() as store:
        assert states(store)[1] == "incremental-running"
        store.execute(delete(subscribed_table).where(~failed))
        assert states(store) == ({"full-error"}, "error")


def test_since_is_when_a_state_began_and_not_when_it_was_reported_again(
    running: FakeAgent, plane: ControlPlane
) -> None:
    def since() -> object:
        with plane.services.database.read() as store:
            return set(store.execute(select(subscribed_table.c.current_since)).scalars())

    begun = since()
    plane.clock.advance(timedelta(seconds=3))
    running.report_tables(SyncState.INCREMENTAL_RUNNING)
    assert since() == begun
    running.report_tables(SyncState.INCREMENTAL_ERROR)
    assert since() == {plane.clock.now()}


def test_states_that_depend_on_age_are_reduced_by_the_clock(running: FakeAgent, plane: ControlPlane) -> None:
    def of_services() -> set[str]:
        with plane.services.database.read() as store:
            return set(store.execute(select(service.c.current_state)).scalars())

    assert of_services() == {"normal"}
    plane.clock.advance(timedelta(seconds=11))
    reduce_overdue(plane.services)
    assert of_services() == {"started"}


def test_a_start_reduces_what_an_older_program_stored(running: FakeAgent, plane: ControlPlane) -> None:
    with plane.services.database.write() as store:
        wrong = {"current_state": SyncState.FULL_FINISHED, "unreduced": False}
        store.execute(update(subscribed_table).values(wrong))
    reduce_all(plane.services)
    with plane.services.database.read() as store:
        assert states(store)[0] == {"incremental-running"}
