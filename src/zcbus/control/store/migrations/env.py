"""Runs inside the transaction that `store.migrate` opened."""

from alembic import context

from zcbus.control.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite alters a table by copying it.
    render_as_batch=True,
    # The caller's transaction holds every step, on SQLite too.
    transactional_ddl=False,
)
context.run_migrations()
