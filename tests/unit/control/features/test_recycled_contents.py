"""What the recycle bin keeps of each kind, column by column."""

import pytest

from zcbus.control.features.recycle_bin.contents import CONTENTS, LOOSE, RENEWED, kept_columns
from zcbus.control.features.recycle_bin.kinds import DEPENDING, KINDS, MISSING, KindDefinition
from zcbus.control.store.columns import metadata
from zcbus.control.store.sealed import sealed_columns

NOT_CONFIGURATION = {
    "comparison",
    "contrast",
    "described_table",
    "known_device",
    "pending_sign_in",
    "published_column",
    "recovery_code",
    "second_factor",
    "security_key",
    "service_account",
    "service_attempt",
    "strategy_customer",
    "strategy_table",
    "task_backfill",
    "task_run",
    "unbound_table",
    "user_avatar",
    "user_session",
    "verification",
}
"""Tables whose rows are deleted with an object and do not come back: reports, histories, sessions and what people prove
themselves by."""


def tables_of(definition: KindDefinition) -> set[str]:
    owned = {key.column.table.name for column in definition.owned for key in column.foreign_keys}
    return {definition.table.name, *(part.name for part in definition.parts), *owned}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_deleted_with_an_object_is_kept_or_left_out_on_purpose(kind: str) -> None:
    kept = tables_of(KINDS[kind])  # type: ignore[index]
    for table in metadata.sorted_tables:
        cascades = {key.column.table.name for key in table.foreign_keys if key.ondelete == "CASCADE"}
        if cascades & kept:
            # A subscriber with masters cannot be deleted.
            absent = {"master"} if kind == "subscriber" else set()
            assert table.name in kept | absent | NOT_CONFIGURATION, (table.name, "is deleted with the object")


@pytest.mark.parametrize("kind", KINDS)
def test_every_reference_of_a_kind_has_a_name_when_it_is_gone(kind: str) -> None:
    kept = tables_of(KINDS[kind])  # type: ignore[index]
    for name in kept:
        table = metadata.tables[name]
        parents = {key.column.table.name for column in kept_columns(table) for key in column.foreign_keys}
        parents |= {parent.table.name for column, parent in LOOSE.items() if column.table is table}
        assert parents - {"tenant"} <= kept | MISSING.keys()
    referred = {key.column.table for name in kept for key in metadata.tables[name].foreign_keys}
    outside = {table for table in referred & RENEWED if table.name not in kept}
    assert not outside or kind in DEPENDING


@pytest.mark.parametrize("table", CONTENTS, ids=str)
def test_a_restored_row_has_all_that_its_table_demands(table: object) -> None:
    [(one, contents)] = [(key, value) for key, value in CONTENTS.items() if key is table]
    names = {column.name for column in one.columns}
    assert contents.kept | contents.initial.keys() <= names
    for column in one.columns:
        given = column.name in contents.kept or column.name in contents.initial
        assert given or column.nullable or column.default is not None or column.server_default is not None, column
    assert {column.name for column in sealed_columns(one)} <= contents.kept
