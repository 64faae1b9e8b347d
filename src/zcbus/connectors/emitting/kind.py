"""What specifications of kinds say that take changes as messages."""

from dataclasses import replace

from zcbus.connectors.capabilities import Capabilities

ROWS = "rows"
"""The schema of tables that are sent."""


def sending(source: Capabilities) -> Capabilities:
    """Capabilities of a broker that is a source with these, and a target: each message has an id, by which receivers
    drop repetitions."""
    return replace(source, delivery="append", ddl=True, row_errors=True, needs_key=True, default_schema=ROWS)
