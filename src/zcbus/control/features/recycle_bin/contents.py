"""What the bin keeps of a deleted row: its configuration. What was reported, positions, states and secrets of people
are left out; a restored row has what a new one has."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Column, Table

from zcbus.control.features.account.passwords import UNUSABLE
from zcbus.control.store.tables.container import service
from zcbus.control.store.tables.data_service import data_service
from zcbus.control.store.tables.identity import department, user
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.subscribe import channel, subscribed_table
from zcbus.control.store.tables.sync_link import sync_link
from zcbus.control.store.tables.task_plan import task_plan
from zcbus.model.states import DesiredState

NOW = object()
"""In `Contents.initial`: the moment of restoring."""


@dataclass(frozen=True, slots=True)
class Contents:
    """`kept`: the columns that are configuration. `initial`: what columns get that are not kept and have neither NULL
    nor a default."""

    kept: frozenset[str]
    initial: Mapping[str, Any]

    @classmethod
    def of(cls, kept: str, **initial: Any) -> "Contents":
        """`kept`: names, separated by blanks."""
        return cls(frozenset(kept.split()), initial)

    def first(self, now: datetime) -> dict[str, Any]:
        """The values of columns that are not kept."""
        return {name: now if value is NOW else value for name, value in self.initial.items()}


CONTENTS: Mapping[Table, Contents] = {
    user: Contents.of(
        "id tenant_id user_name nick_name user_type phone email description document_type id_number dept_id"
        " client_remote created_at",
        # No password has this hash: an administrator must set one, and enable the account.
        password_hash=UNUSABLE,
        status="1",
        must_change_password=True,
        updated_at=NOW,
    ),
    service: Contents.of(
        "id tenant_id container_id type name log_level remark created_at",
        desired=DesiredState.STOPPED.value,
        forced=False,
        restart=0,
        observed="not-running",
        restarts=0,
        last_exit="",
        progress=0,
        position="",
        current_since=NOW,
    ),
    published_table: Contents.of(
        "id node_id schema_name table_name key_columns append_only generation",
        state="uninitialized",
        state_since=NOW,
        reported_generation=0,
        rows_read=0,
        inserts=0,
        updates=0,
        deletes=0,
        current_since=NOW,
    ),
    channel: Contents.of("id master_id name service_id load_threads apply_lanes created_at"),
    subscribed_table: Contents.of(
        "id channel_id published_table_id target_schema target_table columns key_columns append_only load_mode"
        " clean_mode ddl_mode indexes transform generation suspended error_limit",
        retry=0,
        state="uninitialized",
        state_since=NOW,
        reported_generation=0,
        rows_loaded=0,
        rows_per_second=0.0,
        inserts=0,
        updates=0,
        deletes=0,
        errors=0,
        current_since=NOW,
    ),
    data_service: Contents.of("id tenant_id service_id name host port created_at", calls_dropped=0),
    # Paused, in the name of its last owner: resuming it is an act of its own.
    task_plan: Contents.of(
        " ".join(column.name for column in task_plan.columns if column.name not in ("paused", "next_at")), paused=True
    ),
    sync_link: Contents.of(
        "id tenant_id name node_id customer_id container_id document version created_at updated_at",
        desired=DesiredState.STOPPED.value,
        current_since=NOW,
    ),
}
"""Tables of which only a part is kept; of all others each column is."""

RENEWED = frozenset({publish_node, published_table, service, channel, subscribed_table})
"""Rows that come back with ids of their own. Slots, topics and positions outside the store are named after the ids, and
agents may still be removing those of the deleted object."""

LOOSE: Mapping[Column[Any], Column[Any]] = {
    user.c.dept_id: department.c.id,
    task_plan.c.after_id: task_plan.c.id,
}
"""References without a foreign key, which are NULL once their row is gone."""


def kept_columns(table: Table) -> tuple[Column[Any], ...]:
    """The columns of a table that the bin keeps."""
    contents = CONTENTS.get(table)
    return tuple(column for column in table.columns if contents is None or column.name in contents.kept)


def first_values(table: Table, now: datetime) -> dict[str, Any]:
    """What a restored row has besides what was kept."""
    contents = CONTENTS.get(table)
    return {} if contents is None else contents.first(now)
