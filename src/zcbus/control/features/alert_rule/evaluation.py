"""Evaluates all rules with each new sample of the metrics, once, whichever control plane does it."""

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row

from zcbus.control.features.alert_rule import repository
from zcbus.control.features.alert_rule.frames import (
    Flags,
    Floats,
    Frame,
    Subjects,
    in_scope,
    newest_frame,
    services_of_links,
    subjects_of,
)
from zcbus.control.features.alert_rule.machine import GRACE, Limits, Reading, Status, advance, interrupt
from zcbus.control.features.metric.catalogue import SubjectKind
from zcbus.control.platform.services import Services
from zcbus.control.store.metrics.store import MAX_STEP
from zcbus.control.store.metrics.tiers import ROLLED, SLOT

COMPARISONS = {"gt": operator.gt, "ge": operator.ge, "lt": operator.lt, "le": operator.le}
_STALE = int(MAX_STEP) // SLOT
"""Slots after which a sample that does not come is a gap."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What an evaluation goes by."""

    slot: int
    at: float
    frames: Mapping[str, Frame]
    links: Mapping[str, set[str]]


def evaluate(services: Services) -> None:
    """Evaluate the newest sample, if no control plane has. Several may run it at once: one of them writes."""
    turn = _due(services)
    if turn is None:
        return
    with services.database.write_alone() as connection:
        last = repository.last_turn(connection)
        if last is not None and _is_done(last.slot, turn.slot):
            return
        is_gap = last is not None and turn.at - last.at.timestamp() > GRACE
        known = repository.statuses(connection)
        for rule in repository.enabled(connection):
            if rule.kind in turn.frames:
                _evaluate_rule(connection, rule, turn, known.get(rule.id, {}), is_gap)
        repository.note_turn(connection, turn.slot, datetime.fromtimestamp(turn.at, UTC))


def limits_of(rule: Any) -> Limits:
    return Limits(rule.seconds, rule.on_missing)


def holds(rule: Any, values: Floats) -> Flags:
    """Where a rule's condition holds; nowhere without a figure."""
    with np.errstate(invalid="ignore"):
        return np.asarray(COMPARISONS[rule.comparison](values, rule.threshold), dtype=bool)


def _due(services: Services) -> Turn | None:
    """What to evaluate; None: nothing new. Read outside of the writer's transaction."""
    now = services.clock.now().timestamp()
    slot, at = services.metric_store.last_sample()
    if int(now // SLOT) - slot > _STALE:
        slot, at = int(now // SLOT), now
    with services.database.read() as connection:
        last = repository.last_turn(connection)
        if last is not None and _is_done(last.slot, slot):
            return None
        kinds = {rule.kind for rule in repository.enabled(connection)}
        subjects = {kind: subjects_of(connection, SubjectKind(kind)) for kind in kinds}
        links = services_of_links(connection) if kinds else {}
    frames = {
        kind: newest_frame(services.metric_store, SubjectKind(kind), found, now) for kind, found in subjects.items()
    }
    return Turn(slot, at, frames, links)


def _is_done(last: int, slot: int) -> bool:
    # A turn that lies far ahead was before the clock was set back.
    return slot <= last <= slot + ROLLED // SLOT


def _evaluate_rule(
    connection: Connection, rule: Row[Any], turn: Turn, known: Mapping[str, Status], is_gap: bool
) -> None:
    frame = turn.frames[rule.kind]
    values = frame.columns.get(rule.metric, np.full(len(frame.subjects.ids), np.nan))
    scope = in_scope(rule, frame.subjects, turn.links)
    missing = scope & np.isnan(values) & frame.subjects.wanted
    over = scope & holds(rule, values)
    put, after = [], set()
    for place in np.flatnonzero(over | (missing & _followed(rule, frame.subjects, known))):
        subject = frame.subjects.ids[place]
        before = known.get(subject)
        reading = Reading.OVER if over[place] else Reading.MISSING
        status = advance(
            interrupt(before) if is_gap else before, limits_of(rule), reading, turn.at, _plain(values[place])
        )
        if status is None:
            continue
        after.add(subject)
        if status != before:
            name, service_id = frame.subjects.names[place], frame.subjects.services[place]
            put.append(repository.state_values(rule.id, subject, name[:600], service_id, status))
    repository.write_states(connection, rule, put, known.keys() - after)
    counts = {"subjects": int(scope.sum()), "missing": int(missing.sum())}
    if counts != {"subjects": rule.subjects, "missing": rule.missing}:
        repository.change(connection, rule.id, **counts)


def _followed(rule: Row[Any], subjects: Subjects, known: Mapping[str, Status]) -> Flags:
    """Subjects whose missing figure is followed: all if it is an alert, else those that were not in order."""
    followed = np.full(len(subjects.ids), rule.on_missing, dtype=bool)
    followed[subjects.places_of(known)] = True
    return followed


def _plain(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
