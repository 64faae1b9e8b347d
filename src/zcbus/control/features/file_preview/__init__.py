"""Previews of files that the browser cannot read: Parquet and workbooks."""

from zcbus.control.features.file_preview.endpoints import api
from zcbus.control.features.file_preview.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
