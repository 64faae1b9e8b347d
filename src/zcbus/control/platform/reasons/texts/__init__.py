"""Words of all reasons: what happened, and under `….remedy` what to do."""

from zcbus.control.platform.reasons.texts import (
    append_only,
    comparisons,
    data_services,
    drivers,
    en,
    services,
    stream_queries,
    table_imports,
    tables,
    transforms,
    zh,
)

_PARTS = (append_only, comparisons, stream_queries, data_services, drivers, services, table_imports, tables, transforms)

ZH: dict[str, str] = {**zh.REASONS}
EN: dict[str, str] = {**en.REASONS}
for _part in _PARTS:
    ZH |= _part.ZH
    EN |= _part.EN
