"""Preview of the first rows of a table."""

from dataclasses import asdict

from zcbus.engine.connections import Connectors, options_of
from zcbus.protocol.preview import PreviewTable, TablePreview


def preview_table(request: PreviewTable, connectors: Connectors) -> TablePreview:
    """Raises what Previewer.preview raises."""
    previewer = connectors(request.connection.kind).previewer()
    found = previewer.preview(options_of(request.connection), request.table, request.rows)
    return TablePreview.model_validate(asdict(found))
