"""The call of file previews.

POST file-preview/excerpt?sheet=…  bytes → columns, first rows, sheets
"""

from typing import Annotated

from fastapi import Body, Query
from pydantic import WithJsonSchema

from zcbus.connectors.options import PLAIN_TEXT
from zcbus.control.features.file_preview import service
from zcbus.control.features.file_preview.schemas import MAX_BYTES, FileExcerpt
from zcbus.control.platform.authorisation import signed_in
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.routing import Api

api = Api("file-preview")

_BYTES = WithJsonSchema({"type": "string", "format": "binary"})


@api.read("/api/zcbus/file-preview/excerpt", signed_in(), unit=Unit.OWN)
def excerpt(
    call: Call,
    body: Annotated[bytes, _BYTES, Body(media_type="application/octet-stream", min_length=1, max_length=MAX_BYTES)],
    sheet: Annotated[str, Query(max_length=255, pattern=PLAIN_TEXT)] = "",
) -> FileExcerpt:
    """The first rows of a Parquet file or of a workbook's sheet (xlsx, xlsm, xlsb, xls, ods). The file is not kept."""
    return service.preview(body, sheet)
