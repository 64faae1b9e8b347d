"""Results of comparisons of subscribed tables. Orders to compare and to repair: see `table_command`."""

from zcbus.control.features.contrast import differences, repair_preview
from zcbus.control.features.contrast.schemas import (
    DIFFERENCES,
    DifferencePage,
    DifferencePageRequest,
    RepairPreviewAnswer,
    RepairPreviewRequest,
)
from zcbus.control.features.subscribe.endpoints import OPERATE, VIEW
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.routing import Api

api = Api("contrast")


@api.read("/api/zcbus/subscribe/table/compare/difference/page", VIEW, unit=Unit.OWN, lists=DIFFERENCES)
def page_differences(call: Call, body: DifferencePageRequest) -> DifferencePage:
    """Rows that the last comparison of a table found, with both sides."""
    return differences.page(call, body)


@api.read("/api/zcbus/subscribe/table/compare/repair/preview", OPERATE, unit=Unit.OWN)
def preview_repair(call: Call, body: RepairPreviewRequest) -> RepairPreviewAnswer:
    """The statements by which the differences of a table's last comparison would be repaired now. Nothing is written.
    Code 60102: only numbers of rows were compared."""
    return repair_preview.preview(call, body)
