"""Ids of the objects that depend on another one."""

from collections.abc import Callable, Collection
from typing import Any

from sqlalchemy import Column, Connection, FromClause, Row, select

from zcbus.connectors.options import DRIVER, ROUTE
from zcbus.control.features.driver.schemas import DRIVER_KINDS
from zcbus.control.features.task_plan.job_input import JobInput
from zcbus.control.store.among import among
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.driver import driver
from zcbus.control.store.tables.network_route import network_route
from zcbus.control.store.tables.subscribe import customer_database, master
from zcbus.control.store.tables.task_plan import task_plan

Finder = Callable[[Connection, str], Collection[str]]
"""Ids of dependants of the object with an id."""


def by(ids: Column[Any], where: Column[Any], rows: FromClause | None = None) -> Finder:
    """The rows that name the object in a column. `rows`: a join, where the two columns are of different tables."""

    def find(store: Connection, of: str) -> Collection[str]:
        statement = select(ids).distinct().where(where == of)
        return store.execute(statement.select_from(rows) if rows is not None else statement).scalars().all()

    return find


def plans(named: Callable[[JobInput], Collection[str]]) -> Finder:
    """Task plans whose job names the object."""

    def find(store: Connection, of: str) -> Collection[str]:
        rows = store.execute(select(task_plan.c.id, task_plan.c.job))
        return [row.id for row in rows if of in named(JobInput.model_validate(row.job))]

    return find


def by_route(ids: Column[Any], where: Column[Any], rows: FromClause | None = None) -> Finder:
    """Rows whose data source, in the column `where`, takes the route."""
    return _by_sources(_sources_of_route, ids, where, rows)


def by_driver(ids: Column[Any], where: Column[Any], rows: FromClause | None = None) -> Finder:
    """Rows whose data source gives the driver's name, or leaves the choice among those of its kind."""
    return _by_sources(_sources_of_driver, ids, where, rows)


def by_database(ids: Column[Any], rows: FromClause) -> Finder:
    """Rows of masters that write to the database of a customer."""

    def find(store: Connection, of: str) -> Collection[str]:
        source = select(customer_database.c.data_source_id).where(customer_database.c.id == of).scalar_subquery()
        return (
            store.execute(select(ids).distinct().select_from(rows).where(master.c.data_source_id == source))
            .scalars()
            .all()
        )

    return find


def _by_sources(sources: Finder, ids: Column[Any], where: Column[Any], rows: FromClause | None) -> Finder:
    def find(store: Connection, of: str) -> Collection[str]:
        statement = select(ids).distinct().where(among(where, sources(store, of)))
        return store.execute(statement.select_from(rows) if rows is not None else statement).scalars().all()

    return find


def _sources_of_route(store: Connection, of: str) -> Collection[str]:
    route: Row[Any] | None = store.execute(select(network_route).where(network_route.c.id == of)).first()
    if route is None:
        return ()
    rows = store.execute(
        select(data_source.c.id, data_source.c.options).where(data_source.c.tenant_id == route.tenant_id)
    )
    return [row.id for row in rows if row.options.get(ROUTE) == route.name]


def _sources_of_driver(store: Connection, of: str) -> Collection[str]:
    its: Row[Any] | None = store.execute(select(driver).where(driver.c.id == of)).first()
    if its is None:
        return ()
    rows = store.execute(select(data_source).where(data_source.c.kind.in_(DRIVER_KINDS)))
    given = ((row, row.options.get(DRIVER, "")) for row in rows)
    return [row.id for row, name in given if name == its.name or (not name and row.kind == its.kind)]
